// The browser's own SHA-256 is absent on http addresses of a school network, and too slow for a million short calls.

const roundConstants = Uint32Array.from(primes(64).map((prime) => fractionBits(Math.cbrt(prime))))
const initial = Uint32Array.from(primes(8).map((prime) => fractionBits(Math.sqrt(prime))))
const schedule = new Uint32Array(64)

function primes(count: number): number[] {
  const found: number[] = []
  for (let candidate = 2; found.length < count; candidate += 1) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate)
  }
  return found
}

/** The first 32 bits of the fractional part: how the standard defines its constants. */
function fractionBits(value: number): number {
  return Math.floor((value - Math.floor(value)) * 0x1_0000_0000)
}

/** Inside its bounds a typed array has a number everywhere, which its type does not say. */
function word(value: number | undefined): number {
  return value ?? 0
}

function rotate(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits))
}

/** The message with its padding, in whole blocks of 64 bytes. */
function padded(message: Uint8Array): DataView {
  const size = Math.ceil((message.length + 9) / 64) * 64
  const view = new DataView(new ArrayBuffer(size))
  new Uint8Array(view.buffer).set(message)
  view.setUint8(message.length, 0x80)
  view.setUint32(size - 8, Math.floor(message.length / 0x2000_0000))
  view.setUint32(size - 4, message.length * 8)
  return view
}

function fillSchedule(block: DataView, offset: number): void {
  for (let i = 0; i < 16; i += 1) schedule[i] = block.getUint32(offset + i * 4)
  for (let i = 16; i < 64; i += 1) {
    const near = word(schedule[i - 2])
    const far = word(schedule[i - 15])
    const s0 = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3)
    const s1 = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10)
    schedule[i] = word(schedule[i - 16]) + s0 + word(schedule[i - 7]) + s1
  }
}

function compress(state: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i += 1) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + word(roundConstants[i]) + word(schedule[i])) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const added = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i += 1) state[i] = word(state[i]) + word(added[i])
}

/** The digest as eight words. */
export function sha256(message: Uint8Array): Uint32Array {
  const state = initial.slice()
  const blocks = padded(message)
  for (let offset = 0; offset < blocks.byteLength; offset += 64) {
    fillSchedule(blocks, offset)
    compress(state)
  }
  return state
}

/** What goes over the wire and comes back, before anybody reads the envelope. */
export type WireRequest = {
  method: string
  url: string
  headers: Record<string, string>
  body: BodyInit | undefined
  signal: AbortSignal
  onUploadProgress: ((progress: Progress) => void) | undefined
  onDownloadProgress: ((progress: Progress) => void) | undefined
}
export type WireAnswer = { status: number; header: (name: string) => string | null; body: Blob }
/** total is null when the other side did not say how much is coming. */
export type Progress = { loaded: number; total: number | null }
export type Transport = (request: WireRequest) => Promise<WireAnswer>

/** fetch has no upload progress; where that is asked for, and there is a browser, XMLHttpRequest goes. */
export const defaultTransport: Transport = (request) =>
  request.onUploadProgress && typeof XMLHttpRequest !== 'undefined' ? sendByXhr(request) : sendByFetch(request)

async function sendByFetch(request: WireRequest): Promise<WireAnswer> {
  const { method, url, headers, body, signal } = request
  const response = await fetch(url, { method, headers, signal, ...(body === undefined ? {} : { body }) })
  const answer = request.onDownloadProgress
    ? await readWithProgress(response, request.onDownloadProgress)
    : await response.blob()
  return { status: response.status, header: (name) => response.headers.get(name), body: answer }
}

async function readWithProgress(response: Response, onProgress: (progress: Progress) => void): Promise<Blob> {
  const length = Number(response.headers.get('content-length'))
  const total = length > 0 && !response.headers.get('content-encoding') ? length : null
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let loaded = 0
  const reader = response.body?.getReader()
  for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
    pieces.push(step.value)
    loaded += step.value.byteLength
    onProgress({ loaded, total })
  }
  return new Blob(pieces, { type: response.headers.get('content-type') ?? '' })
}

function sendByXhr(request: WireRequest): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    xhr.open(request.method, request.url)
    xhr.responseType = 'blob'
    for (const [name, value] of Object.entries(request.headers)) xhr.setRequestHeader(name, value)
    const report = (to: WireRequest['onUploadProgress']) => (event: ProgressEvent) =>
      to?.({ loaded: event.loaded, total: event.lengthComputable ? event.total : null })
    xhr.upload.addEventListener('progress', report(request.onUploadProgress))
    xhr.addEventListener('progress', report(request.onDownloadProgress))
    xhr.addEventListener('error', () => reject(new TypeError('network failure')))
    xhr.addEventListener('abort', () => reject(request.signal.reason))
    xhr.addEventListener('load', () =>
      resolve({ status: xhr.status, header: (name) => xhr.getResponseHeader(name), body: xhr.response as Blob }),
    )
    if (request.signal.aborted) return reject(request.signal.reason)
    request.signal.addEventListener('abort', () => xhr.abort(), { once: true })
    xhr.send(request.body as XMLHttpRequestBodyInit | undefined)
  })
}

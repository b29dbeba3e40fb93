type Mark = { id: string; x: number; y: number; isFilled: boolean }

const studentNumber = [3, 7, 0, 5, 2, 8, 1, 6]
const answers = [0, 2, 1, 3, 1, 0, 2, 2, 3, 1, 0, 1, 2, 3, 0]
const code = ['1110101', '1010011', '1101001', '0011110', '1101101', '1000011', '1111010']

const numberMarks: Mark[] = studentNumber.flatMap((digit, column) =>
  Array.from({ length: 10 }, (_, row) => ({
    id: `${column}.${row}`,
    x: 20 + column * 9.6,
    y: 70 + row * 6.4,
    isFilled: row === digit,
  })),
)

const questions = answers.map((answer, index) => ({
  id: `${index}`,
  answer,
  x: 20 + Math.floor(index / 5) * 62,
  y: 152 + (index % 5) * 9,
}))

const choiceMarks: Mark[] = questions.flatMap(({ id, answer, x, y }) =>
  [0, 1, 2, 3].map((option) => ({ id: `${id}.${option}`, x: x + 10 + option * 11, y, isFilled: option === answer })),
)

const codeCells = code
  .flatMap((row, y) =>
    Array.from(row, (cell, x) => ({ id: `${x}.${y}`, x: 158 + x * 5, y: 22 + y * 5, isBlack: cell === '1' })),
  )
  .filter((cell) => cell.isBlack)

/** A written line without letters: nobody's words, only a hand. */
function handwriting(x: number, y: number, words: readonly number[]): string {
  let path = ''
  let at = x
  for (const [index, strokes] of words.entries()) {
    path += `M${at} ${y}`
    for (let stroke = 0; stroke < strokes; stroke += 1) {
      const lift = 3 + ((index * 3 + stroke * 5) % 4)
      path += `q1.6 -${lift} 3.2 -1.4t2.6 2.6`
    }
    at += strokes * 5.8 + 6
  }
  return path
}

function Marks({ marks, width, height }: { marks: readonly Mark[]; width: number; height: number }) {
  return marks.map(({ id, x, y, isFilled }) => (
    <rect
      key={id}
      x={x}
      y={y}
      width={width}
      height={height}
      rx="1.3"
      fill={isFilled ? 'var(--ink)' : 'none'}
      stroke={isFilled ? 'var(--ink)' : 'var(--paper-line)'}
      strokeWidth=".8"
    />
  ))
}

function PrintedParts() {
  return (
    <g>
      <rect x="24" y="26" width="92" height="6" fill="var(--ink)" />
      <path d="M24 44h62M24 53h44" stroke="var(--paper-line)" strokeWidth="2.4" />
      <path d="M20 142.5h174M20 202.5h174" stroke="var(--paper-faint)" />
      {codeCells.map(({ id, x, y }) => (
        <rect key={id} x={x} y={y} width="5" height="5" fill="var(--ink)" />
      ))}
      {questions.map(({ id, x, y }) => (
        <rect key={id} x={x} y={y + 1.4} width="5" height="2" fill="var(--paper-line)" />
      ))}
    </g>
  )
}

function WrittenAnswer() {
  return (
    <g fill="none" strokeLinecap="round">
      <rect x="20.5" y="208.5" width="173" height="76" rx="1.5" stroke="var(--paper-line)" />
      <path d="M28 227h158M28 243h158M28 259h158M28 275h158" stroke="var(--paper-faint)" />
      <path d={handwriting(31, 225, [3, 5, 2, 4, 3, 2])} stroke="var(--ink)" strokeWidth="1.1" />
      <path d={handwriting(31, 241, [4, 2, 5, 3, 4])} stroke="var(--ink)" strokeWidth="1.1" />
      <path d={handwriting(31, 257, [2, 4, 3])} stroke="var(--ink)" strokeWidth="1.1" />
    </g>
  )
}

function Marking() {
  return (
    <g fill="none" stroke="var(--pen)" strokeLinecap="round" strokeLinejoin="round">
      <path d="m140 254 8 9c6-14 15-26 27-34" strokeWidth="3" />
      <path d="M32 262c20-3 40-2 60-1" strokeWidth="1.4" />
      <path d="M128 72c12-9 46-10 56 3s0 34-21 38-44-6-43-22c.6-9 8-17 18-21" strokeWidth="1.8" />
      <path d="M143 86c5-6 13-4 12 2s-6 7-9 7c6 0 11 3 9 9s-11 7-15 2" strokeWidth="2.4" />
      <path d="M168 82c-4 6-6 14-4 20s9 5 10-1-4-9-9-5" strokeWidth="2.4" />
    </g>
  )
}

function Sheet({ transform }: { transform: string }) {
  return (
    <g transform={transform}>
      <rect width="214" height="302" rx="2" fill="var(--paper-sheet)" stroke="var(--paper-line)" />
      <path d="M10 10h7v7h-7zM197 10h7v7h-7zM10 285h7v7h-7zM197 285h7v7h-7z" fill="var(--ink)" />
      <path d="M24 40h70M24 52h120M24 64h96" stroke="var(--paper-line)" strokeWidth="3" />
    </g>
  )
}

/** Answer sheets on a composition grid: filled marks, a written answer, a teacher's red pen. Drawn, not photographed. */
export function AnswerSheetMotif({ className }: { className: string }) {
  return (
    <svg className={className} viewBox="0 0 560 380" aria-hidden="true" focusable="false">
      <defs>
        <pattern id="composition-grid" width="30" height="30" patternUnits="userSpaceOnUse">
          <path d="M.5 0v30M0 .5h30" fill="none" stroke="var(--paper-faint)" />
        </pattern>
      </defs>
      <rect x="0" y="0" width="541" height="361" transform="translate(9.5 9.5)" fill="url(#composition-grid)" />
      <Sheet transform="translate(286 62) rotate(9 107 151)" />
      <Sheet transform="translate(112 50) rotate(-8 107 151)" />
      <g transform="translate(178 34) rotate(-1.5 107 151)">
        <rect width="214" height="302" rx="2" fill="var(--paper-sheet)" stroke="var(--paper-line)" />
        <path d="M10 10h7v7h-7zM197 10h7v7h-7zM10 285h7v7h-7zM197 285h7v7h-7z" fill="var(--ink)" />
        <PrintedParts />
        <Marks marks={numberMarks} width={6.6} height={3.8} />
        <Marks marks={choiceMarks} width={8} height={5} />
        <WrittenAnswer />
        <Marking />
      </g>
    </svg>
  )
}

/** A marked answer sheet: the brand where a school has set none of its own. */
export function LogoMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#23508f" />
      <path d="M9 6.5h10.5L24 11v14.5H9z" fill="#fff" />
      <path d="M19.5 6.5V11H24z" fill="#b9cbe6" />
      <path
        d="m12.4 17.6 3.1 3.3 5.6-7"
        fill="none"
        stroke="#c8372d"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

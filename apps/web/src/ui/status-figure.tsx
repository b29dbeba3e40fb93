import styles from './status-page.module.css'

/** A sheet with the three digits as a handwritten mark in its corner would carry a score. */
export function StatusFigure({ code }: { code: string }) {
  return (
    <svg className={styles['figure']} width="132" height="120" viewBox="0 0 132 120" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="1.5">
        <rect x="26.75" y="8.75" width="78.5" height="102.5" rx="3" fill="var(--ant-color-bg-container)" />
        <path d="M38 66h56M38 78h56M38 90h34" strokeLinecap="round" opacity=".55" />
      </g>
      <path d="M34 16h6v6h-6zM92 16h6v6h-6zM34 98h6v6h-6zM92 98h6v6h-6z" fill="currentColor" />
      <text x="66" y="50" textAnchor="middle" fontSize="25" fontWeight="600" fill="var(--pen)">
        {code}
      </text>
    </svg>
  )
}

import type { ReactNode } from 'react'
import styles from './empty-note.module.css'

type EmptyNoteProps = { title: string; children?: ReactNode }

/** Nothing yet: one line that says why, one way on. */
export function EmptyNote({ title, children }: EmptyNoteProps) {
  return (
    <div className={styles['empty']}>
      <svg width="56" height="44" viewBox="0 0 56 44" aria-hidden="true">
        <g fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round">
          <rect x="12.75" y="3.75" width="30.5" height="36.5" rx="2.5" />
          <path d="M19 13h18M19 20h18M19 27h10" opacity=".6" />
        </g>
      </svg>
      <p>{title}</p>
      {children ? <div className={styles['way']}>{children}</div> : null}
    </div>
  )
}

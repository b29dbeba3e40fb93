import type { ReactNode } from 'react'
import styles from './status-page.module.css'

type StatusPageProps = { title: string; text: string; figure?: ReactNode; children?: ReactNode }

/** A page that has nothing but one thing to say, and one or two ways on. */
export function StatusPage({ title, text, figure, children }: StatusPageProps) {
  return (
    <main className={styles['page']}>
      <div className={styles['content']}>
        {figure}
        <h1>{title}</h1>
        <p>{text}</p>
        <div className={styles['actions']}>{children}</div>
      </div>
    </main>
  )
}

import { useId, type ReactNode } from 'react'
import styles from './panel.module.css'

type PanelProps = { title: string; note?: ReactNode; actions?: ReactNode; children: ReactNode }

/** One subject on a page, named by its heading. Borders separate; nothing floats. */
export function Panel({ title, note, actions, children }: PanelProps) {
  const id = useId()
  return (
    <section className={styles['panel']} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note ? <span className={styles['note']}>{note}</span> : null}
        {actions ? <div className={styles['actions']}>{actions}</div> : null}
      </header>
      <div className={styles['body']}>{children}</div>
    </section>
  )
}

import { useId, type KeyboardEvent, type ReactNode } from 'react'
import styles from './way-tabs.module.css'

type Tab<K extends string> = { key: K; label: string }
type WayTabsProps<K extends string> = {
  label: string
  tabs: readonly Tab<K>[]
  active: K
  onChange: (key: K) => void
  children: ReactNode
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 }

/** The ARIA tabs pattern and nothing else: antd's Tabs would be a tenth of what the login page may load. */
export function WayTabs<K extends string>({ label, tabs, active, onChange, children }: WayTabsProps<K>) {
  const id = useId()
  const idOf = (part: string) => `${id}-${part}`
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key]
    if (!step) return
    const index = tabs.findIndex((tab) => tab.key === active) + step
    const next = tabs[(index + tabs.length) % tabs.length]
    if (!next) return
    event.preventDefault()
    onChange(next.key)
    document.getElementById(idOf(next.key))?.focus()
  }
  return (
    <>
      <div role="tablist" tabIndex={-1} aria-label={label} className={styles['tabs']} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            id={idOf(tab.key)}
            type="button"
            role="tab"
            aria-selected={tab.key === active}
            aria-controls={idOf('panel')}
            tabIndex={tab.key === active ? 0 : -1}
            onClick={() => onChange(tab.key)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id={idOf('panel')} role="tabpanel" aria-labelledby={idOf(active)}>
        {children}
      </div>
    </>
  )
}

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { startAppearance } from './app/appearance.ts'
import { startLocale } from './app/locale.ts'
import { addLog } from './app/log.ts'
import { rewritePartnerReturn } from './app/partner-return.ts'
import { Providers } from './app/providers.tsx'
import { startRouter } from './app/router.ts'
import { startSession } from './app/session.ts'
import './ui/base.css'

async function start(container: HTMLElement): Promise<void> {
  rewritePartnerReturn()
  startAppearance()
  startSession()
  window.addEventListener('error', (event) => addLog(event.message, 'error'))
  window.addEventListener('unhandledrejection', (event) => addLog(String(event.reason), 'error'))
  await startLocale()
  createRoot(container).render(
    <StrictMode>
      <Providers>
        <RouterProvider router={startRouter()} />
      </Providers>
    </StrictMode>,
  )
}

const container = document.getElementById('root')
if (container) void start(container)

import { authTicket } from '@console/contract'
import { callQuietly } from '../../app/client.ts'

/** The security check that the server asks for after failed attempts, solved beside the page and not on it. */
export async function solveTicket(): Promise<string> {
  const task = await callQuietly(authTicket, {}, { handlesFailure: true })
  const worker = new Worker(new URL('./ticket-worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise<string>((resolve, reject) => {
      worker.addEventListener('message', (event: MessageEvent<string>) => resolve(event.data))
      worker.addEventListener('error', (event) => reject(new Error(event.message)))
      worker.postMessage(task)
    })
  } finally {
    worker.terminate()
  }
}

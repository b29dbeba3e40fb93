import { readReloadMarker, saveReloadMarker } from './credentials.ts'
import { addLog } from './log.ts'

const chunkTimeoutMs = 120_000
const reloadPauseMs = 60_000

export class ChunkLoadError extends Error {
  override name = 'ChunkLoadError'
}

function inTime<T>(loading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('timeout')), chunkTimeoutMs)
    loading.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** After a release the old pieces are gone: one reload fetches the new ones; if that was just tried, a person decides. */
function mayReload(): boolean {
  const last = Number(readReloadMarker() ?? 0)
  if (Date.now() - last < reloadPauseMs) return false
  saveReloadMarker(String(Date.now()))
  return true
}

export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await inTime(load())
  } catch (cause) {
    addLog(`ChunkLoadError ${String(cause)}`, 'error')
    if (!mayReload()) throw new ChunkLoadError(String(cause), { cause })
    location.reload()
    return new Promise(() => {})
  }
}

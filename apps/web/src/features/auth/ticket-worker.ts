import { solveChallenge } from './proof-of-work.ts'

self.addEventListener('message', (event: MessageEvent<{ challenge: string; bits: number }>) => {
  self.postMessage(solveChallenge(event.data.challenge, event.data.bits))
})

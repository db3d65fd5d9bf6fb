import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * - `accept`: takes the message
 * - `hang`: never answers
 * - `refuse`: answers 500
 * - `reject`: answers 422, for good
 * - `drop`: takes the message, then breaks the connection instead of answering
 */
export type Mood = 'accept' | 'hang' | 'refuse' | 'reject' | 'drop'

export interface ResendDouble {
  url: string
  mood: Mood
  /** Number of calls per idempotency key, including refused ones. */
  attempts: Map<string, number>
  /** Keys of accepted messages; Resend delivers each once in 24 hours. */
  taken: Map<string, number>
  close(): void
}

/** A test double of the mail provider's one call that the product uses, with all its failures. */
export async function startResendDouble(answerAfterMs = 0): Promise<ResendDouble> {
  const attempts = new Map<string, number>()
  const taken = new Map<string, number>()
  const add = (counts: Map<string, number>, key: string) =>
    counts.set(key, (counts.get(key) ?? 0) + 1)
  const double: ResendDouble = { url: '', mood: 'accept', attempts, taken, close: () => {} }

  const server = createServer((request, response) => {
    const key = String(request.headers['idempotency-key'] ?? '')
    request.resume().once('end', () => {
      add(attempts, key)
      const { mood } = double
      if (mood === 'hang') return
      if (mood === 'refuse' || mood === 'reject') {
        const statusCode = mood === 'refuse' ? 500 : 422
        const name = mood === 'refuse' ? 'application_error' : 'validation_error'
        response.writeHead(statusCode, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify({ statusCode, name, message: 'It is the double that says so' }))
        return
      }
      add(taken, key)
      if (mood === 'drop') {
        response.destroy()
        return
      }
      setTimeout(() => {
        response.writeHead(200, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify({ id: `double-${key}` }))
      }, answerAfterMs)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  double.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  double.close = () => {
    server.closeAllConnections()
    server.close()
  }
  return double
}

import { Agent, request } from 'node:http'

export interface Answer {
  status: number
  body: string
}

/** Sends requests over open connections; lighter than `fetch`, so that it distorts results less. */
export const client = (url: string, connections = 16) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    send(
      method: string,
      path: string,
      headers: Record<string, string> = {},
      body?: string,
    ): Promise<Answer> {
      return new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
        const sent = request(
          url + path,
          { method, agent, headers: { ...headers, ...length } },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.once('error', reject)
            response.once('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                body: Buffer.concat(chunks).toString('utf8'),
              }),
            )
          },
        )
        sent.once('error', reject)
        sent.end(body)
      })
    },
    close: () => agent.destroy(),
  }
}

/** Headers of the n-th visitor: an IP of its own, so that no limit applies. */
export const visitor = (n: number): Record<string, string> => ({
  'X-Forwarded-For': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
  'Content-Type': 'application/json',
})

/** The n-th message, with a unique text. */
export const contactBody = (n: number | string): string =>
  JSON.stringify({
    name: `Sample Visitor ${n}`,
    email: `visitor-${n}@people.example`,
    message: `This is sample text, number ${n}. We run a bookshop and want to be found by people nearby. Our page is ten years old and nobody can edit it any more.`,
  })

/** Calls `task` with 0 to `count` - 1, at most `concurrency` at once. */
export const atOnce = async (
  count: number,
  concurrency: number,
  task: (n: number) => Promise<void>,
): Promise<void> => {
  let next = 0
  const worker = async () => {
    while (next < count) {
      const n = next
      next += 1
      await task(n)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

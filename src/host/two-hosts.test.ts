import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newPostgres } from '#server/db/testing.ts'
import { startResendDouble } from '#tests/faults/resend-double.ts'
import { end, launch } from '#tests/launch.ts'

const password = 'a long and quiet walk'

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

test('of two processes on one database each lets its first superuser in once it is healthy, and each mail leaves once', async () => {
  const double = await startResendDouble()
  onTestFinished(() => double.close())
  const { url: DATABASE_URL } = await newPostgres('migrated')
  const urls = await Promise.all(
    [1, 2].map(async () => {
      const port = await freePort()
      const child = launch('serve', [], {
        PORT: String(port),
        DATABASE_URL,
        AUTH_SECRET: 'one secret that both of the hosts were given',
        ADMIN_PASSWORD: password,
        TRUST_PROXY: '1',
        RESEND_API_KEY: 're_a_double_takes_anything',
        RESEND_BASE_URL: double.url,
        MAIL_FROM: 'Agency <hello@example.test>',
        MAIL_TO: 'desk@example.test',
      })
      onTestFinished(() => end(child))
      return `http://127.0.0.1:${port}`
    }),
  )
  const send = (url: string, path: string, body: string, headers = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
    })
  await Promise.all(
    urls.map(async (url, host) => {
      // The process does not listen at first.
      await vi.waitFor(async () => expect((await fetch(`${url}/api/health`)).status).toBe(200), {
        timeout: 60_000,
        interval: 5,
      })
      const right = JSON.stringify({ email: 'admin@localhost.test', password })
      expect((await send(url, '/api/auth/login', right)).status).toBe(200)
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => {
          const person = `visitor-${host}-${n}`
          const contact = {
            name: person,
            email: `${person}@example.test`,
            message: `From ${person}`,
          }
          const from = { 'X-Forwarded-For': `192.0.2.${host * 10 + n}` }
          return send(url, '/api/contacts', JSON.stringify(contact), from)
        }),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
    }),
  )
  // Each submission causes an announcement and an acknowledgement; the sign-ins cause none.
  await vi.waitFor(() => expect(double.taken.size).toBe(40), { timeout: 60_000, interval: 20 })
  expect([...double.taken.values()]).toEqual(Array(40).fill(1))
})

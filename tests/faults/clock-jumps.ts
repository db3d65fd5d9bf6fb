import { resolve } from 'node:path'
import { contactBody, visitor } from '#tests/bench/api/client.ts'
import { openHost, signIn } from '#tests/bench/stage.ts'
import { end } from '#tests/launch.ts'
import type { Fault } from './fault.ts'

const HOUR = 3_600_000

/** Machines with wrong clocks, and a database with the right one. */
export const clockJumps: Fault = {
  name: 'clock-jumps',
  promise: 'machines whose clocks are wrong store the database’s time and end no session of others',
  isQuick: true,
  async run(promise, { newDatabase }) {
    const url = await newDatabase('migrated')
    const open = (offset: number) =>
      openHost({
        DATABASE_URL: url,
        AUTH_SECRET: 'one secret that all of the hosts were given',
        NODE_OPTIONS: `--import ${resolve('tests/fixtures/clock.mjs')}`,
        CLOCK_OFFSET_MS: String(offset),
      })
    const submit = async (url: string, n: number) => {
      const answer = await fetch(`${url}/api/contacts`, {
        method: 'POST',
        headers: visitor(n),
        body: contactBody(`timed-${n}`),
      })
      const { data } = (await answer.json()) as { data?: { createdAt: string } }
      return { status: answer.status, off: Date.parse(data?.createdAt ?? '') - Date.now() }
    }
    const profile = async (url: string, token: string) => {
      const headers = { Authorization: `Bearer ${token}` }
      const answer = await fetch(`${url}/api/auth/me`, { headers })
      await answer.text()
      return answer.status
    }

    const right = await open(0)
    let count = 0
    try {
      const { token } = await signIn(right.url)
      for (const [name, offset] of [
        ['an hour ahead', HOUR],
        ['a day behind', -24 * HOUR],
        ['a day ahead', 24 * HOUR],
      ] as const) {
        const wrong = await open(offset)
        count += 1
        const sent = await submit(wrong.url, count)
        promise(
          `${name}: a submission carries the database’s time`,
          sent.status === 201 && Math.abs(sent.off) < 60_000,
          sent,
        )
        const own = await signIn(wrong.url).catch(() => undefined)
        const status = own && (await profile(wrong.url, own.token))
        // The database's clock lets the session live; what a token itself says is held against the
        // machine's own clock, which beyond the twelve hours of a session errs on the safe side.
        if (offset < 12 * HOUR)
          promise(`${name}: staff can sign in and work`, status === 200, status)
        else promise(`${name}: a token counts as expired`, status === 401, status)
        await end(wrong.process)
      }
      const status = await profile(right.url, token)
      promise('a session outlives the jump of another machine', status === 200, status)
    } finally {
      await end(right.process)
    }
  },
}

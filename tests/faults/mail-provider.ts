import pg from 'pg'
import { contactBody, visitor } from '#tests/bench/api/client.ts'
import { openHost } from '#tests/bench/stage.ts'
import { end } from '#tests/launch.ts'
import { eventually, type Fault } from './fault.ts'
import { type Mood, startResendDouble } from './resend-double.ts'

/** A mail provider that hangs, refuses, or takes a message and then breaks the connection. */
export const mailProvider: Fault = {
  name: 'mail-provider',
  promise: 'no failure of the mail provider fails or delays a submission, or loses a message',
  // It counts as hanging after two timeouts of ten seconds.
  isQuick: false,
  async run(promise, { newDatabase }) {
    const url = await newDatabase('migrated')
    const double = await startResendDouble()
    const host = await openHost({
      DATABASE_URL: url,
      RESEND_API_KEY: 're_a_double_takes_anything',
      RESEND_BASE_URL: double.url,
      MAIL_FROM: 'Agency <hello@example.test>',
      MAIL_TO: 'desk@example.test',
    })
    const database = new pg.Client({ connectionString: url })
    await database.connect()
    const states = async () => {
      const { rows } = await database.query('select status, attempts, last_error from mail')
      return rows as { status: string; attempts: number; last_error: string | null }[]
    }
    /** In place of waiting for the next retry. */
    const makeDue = () =>
      database.query("update mail set next_attempt_at = now() where status = 'waiting'")
    let count = 0
    const submit = async () => {
      count += 1
      const start = performance.now()
      const { status } = await fetch(`${host.url}/api/contacts`, {
        method: 'POST',
        headers: visitor(count),
        body: contactBody(`mailed-${count}`),
      })
      return { status, ms: performance.now() - start }
    }

    try {
      for (const mood of ['hang', 'refuse', 'drop'] satisfies Mood[]) {
        double.mood = mood
        const before = double.attempts.size
        const sent = await submit()
        promise(
          `${mood}: a submission is taken as ever`,
          sent.status === 201 && sent.ms < 9_000,
          sent,
        )
        const wasTried = await eventually(
          async () =>
            double.attempts.size >= before + 2 &&
            (await states()).filter(({ attempts }) => attempts > 0).length >= before + 2,
          { withinMs: 60_000 },
        )
        const found = await states()
        promise(
          `${mood}: both messages were tried and wait for another try`,
          wasTried && found.every(({ status }) => status === 'waiting'),
          found,
        )
        promise(
          `${mood}: what went wrong is written down`,
          found.every(({ attempts, last_error }) => attempts === 0 || last_error !== null),
          found,
        )
      }

      double.mood = 'accept'
      await makeDue()
      const isOut = await eventually(
        async () => (await states()).every(({ status }) => status === 'sent'),
        { withinMs: 60_000 },
      )
      promise('accepting again: everything goes out', isOut, await states())
      promise(
        'every message went by one key, however often it was tried',
        double.taken.size === 2 * count,
        double.taken,
      )
    } finally {
      await database.end()
      await end(host.process)
      double.close()
    }
  },
}

import pg from 'pg'
import { atOnce, contactBody, visitor } from '#tests/bench/api/client.ts'
import { openHost } from '#tests/bench/stage.ts'
import { end, type Started } from '#tests/launch.ts'
import { eventually, type Fault } from './fault.ts'
import { startResendDouble } from './resend-double.ts'

const SUBMISSIONS = 20

/** Two hosts send from one outbox; one of them is killed during sending. */
export const outboxWorkers: Fault = {
  name: 'outbox-workers',
  promise: 'two workers share one outbox, and what one of them dies with the other sends',
  isQuick: true,
  async run(promise, { newDatabase }) {
    const url = await newDatabase('migrated')
    const double = await startResendDouble(50)
    const env = {
      DATABASE_URL: url,
      AUTH_SECRET: 'one secret that both of the hosts were given',
      RESEND_API_KEY: 're_a_double_takes_anything',
      RESEND_BASE_URL: double.url,
      MAIL_FROM: 'Agency <hello@example.test>',
      MAIL_TO: 'desk@example.test',
    }
    const [first, second] = [await openHost(env), await openHost(env)]
    const database = new pg.Client({ connectionString: url })
    await database.connect()
    const countOf = async (status: string) => {
      const { rows } = await database.query(
        'select count(*)::int as n from mail where status = $1',
        [status],
      )
      return rows[0].n as number
    }

    const submit = async (n: number, { url }: Started) => {
      const answer = await fetch(`${url}/api/contacts`, {
        method: 'POST',
        headers: visitor(n),
        body: contactBody(`shared-${n}`),
      })
      await answer.text()
      if (answer.status !== 201) throw new Error(`A submission was answered ${answer.status}`)
    }
    /** Whether all waiting messages are claimed by one of them. */
    const isAllTaken = async () => {
      const { rowCount } = await database.query(
        "select 1 from mail where status = 'waiting' and leased_until is null",
      )
      return rowCount === 0
    }

    try {
      await atOnce(SUBMISSIONS - 1, 4, (n) => submit(n, n % 2 === 0 ? first : second))
      await eventually(async () => double.taken.size > 4, { everyMs: 20 })
      await end(first.process, 'SIGKILL')
      await eventually(isAllTaken)
      const twice = [...double.taken].filter(([, times]) => times > 1)
      promise('no message was sent by both', twice.length === 0, twice)

      // In place of waiting for the killed host's leases to expire.
      const { rows: freed } = await database.query(
        "update mail set leased_until = now() where status = 'waiting' returning id",
      )
      // Taken by the provider, and not yet recorded by the host that was killed.
      const underWay = freed.map(({ id }) => id).filter((id) => double.taken.has(id))
      // A submission wakes the other host, which looks by itself every ten seconds only.
      await submit(SUBMISSIONS, second)
      const isOut = await eventually(async () => (await countOf('sent')) === 2 * SUBMISSIONS, {
        withinMs: 90_000,
      })
      promise('the survivor sends the rest', isOut, await countOf('waiting'))
      promise('nothing is lost', double.taken.size === 2 * SUBMISSIONS, double.taken.size)
      const repeated = [...double.taken].filter(([, times]) => times > 1).map(([key]) => key)
      promise(
        'only a message under way goes out again, by the same key',
        repeated.every((key) => underWay.includes(key)),
        { repeated, underWay },
      )
    } finally {
      await database.end()
      await Promise.all([end(first.process, 'SIGKILL'), end(second.process)])
      double.close()
    }
  },
}

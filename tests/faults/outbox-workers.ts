import pg from 'pg'
import { migrateRemote } from '#server/db/migrate.ts'
import { atOnce, contactBody, visitor } from '#tests/bench/client.ts'
import { openHost } from '#tests/bench/stage.ts'
import { end } from '#tests/launch.ts'
import { startPostgres } from '#tests/postgres.ts'
import { eventually, type Fault, sleep } from './fault.ts'
import { startResendDouble } from './resend-double.ts'

const SUBMISSIONS = 20

/** Two hosts send what waits in one outbox; one of them is killed amid it. */
export const outboxWorkers: Fault = {
  name: 'outbox-workers',
  async run(promise) {
    const postgres = await startPostgres()
    await postgres.createDatabase('shared')
    const url = postgres.url('shared')
    await migrateRemote({ kind: 'pg', url })
    const double = await startResendDouble(100)
    const env = {
      DATABASE_URL: url,
      AUTH_SECRET: 'one secret that both of the hosts were given',
      RESEND_API_KEY: 're_a_double_takes_anything',
      RESEND_BASE_URL: double.url,
      MAIL_FROM: 'Fledge <hello@example.test>',
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

    try {
      await atOnce(SUBMISSIONS, 4, async (n) => {
        const { url: address } = n % 2 === 0 ? first : second
        const answer = await fetch(`${address}/api/contacts`, {
          method: 'POST',
          headers: visitor(n),
          body: contactBody(`shared-${n}`),
        })
        await answer.text()
        if (answer.status !== 201) throw new Error(`A submission was answered ${answer.status}`)
      })
      await eventually(async () => double.taken.size > 4, { everyMs: 20 })
      await end(first.process, 'SIGKILL')
      await sleep(500)
      const twice = [...double.taken].filter(([, times]) => times > 1)
      promise('no message was sent by both', twice.length === 0, twice)

      // Instead of waiting until what the dead one had taken may be taken again.
      await database.query("update mail set leased_until = now() where status = 'waiting'")
      const isOut = await eventually(async () => (await countOf('sent')) === 2 * SUBMISSIONS, {
        withinMs: 90_000,
      })
      promise('the survivor sends the rest', isOut, await countOf('waiting'))
      promise('nothing is lost', double.taken.size === 2 * SUBMISSIONS, double.taken.size)
      const repeated = [...double.taken.values()].filter((times) => times > 1).length
      promise(
        'at most the message under way goes out again, by the same key',
        repeated <= 1,
        repeated,
      )
    } finally {
      await database.end()
      await Promise.all([end(first.process, 'SIGKILL'), end(second.process)])
      double.close()
      await postgres.stop()
    }
  },
}

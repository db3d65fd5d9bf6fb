import { print } from '#cli/progress.ts'
import { migrateRemote } from '#server/db/migrate.ts'
import { atLeast, informative, type Part, times } from '#tests/bench/part.ts'
import { openHost } from '#tests/bench/stage.ts'
import { interleave, median, timed } from '#tests/bench/statistics.ts'
import { end, launchScript, whenReady } from '#tests/launch.ts'
import { startPostgres } from '#tests/postgres.ts'
import { atOnce, client, contactBody, visitor } from './client.ts'
import { recordStatements } from './recorded-statements.ts'

const ROUNDS = 7
const REQUESTS = 500
const CONCURRENCY = 16

/** Submissions per second, compared with a handler that only runs the same SQL. */
export const contacts: Part = {
  name: 'contacts',
  async measure() {
    const [statement] = await recordStatements(1)
    print(`\nThe statement that both run:\n${statement?.sql}\n`)

    const postgres = await startPostgres()
    // Each has its own empty database.
    for (const name of ['ours', 'bare']) {
      await postgres.createDatabase(name)
      await migrateRemote({ kind: 'pg', url: postgres.url(name) })
    }
    const [ours, bare] = await Promise.all([
      openHost({ DATABASE_URL: postgres.url('ours') }),
      whenReady(
        launchScript('tests/bench/api/bare-handler.ts', [
          postgres.url('bare'),
          String((ROUNDS + 1) * REQUESTS),
        ]),
      ),
    ])
    // The host has created its superuser; the bare handler's statement looks for one too.
    await addReader(postgres.url('bare'))

    try {
      const round = (url: string) => {
        const { send } = client(url, CONCURRENCY)
        let sent = 0
        return async () => {
          const first = sent
          sent += REQUESTS
          const duration = await timed(() =>
            atOnce(REQUESTS, CONCURRENCY, async (n) => {
              const visit = first + n
              const { status, body } = await send(
                'POST',
                '/api/contacts',
                visitor(visit),
                contactBody(visit),
              )
              if (status !== 201) throw new Error(`${url} answers ${status}: ${body}`)
            }),
          )
          return (REQUESTS / duration) * 1_000
        }
      }
      const tasks = { bare: round(bare.url), ours: round(ours.url) }
      await interleave(1, tasks)
      const rates = await interleave(ROUNDS, tasks)
      const ratios = rates.ours.map((rate, index) => rate / (rates.bare[index] ?? 0))
      return {
        rows: [
          atLeast(
            'POST /api/contacts against a bare handler with the same SQL',
            median(ratios),
            0.7,
            times,
          ),
          informative(
            'submissions a second, and the bare handler’s',
            [median(rates.ours), median(rates.bare)].map(Math.round),
            'for comparison',
          ),
        ],
        details: { ratios, perSecond: rates, statement: statement?.sql },
      }
    } finally {
      await Promise.all([end(ours.process), end(bare.process)])
      await postgres.stop()
    }
  },
}

async function addReader(url: string): Promise<void> {
  const { default: pg } = await import('pg')
  const connection = new pg.Client({ connectionString: url })
  await connection.connect()
  await connection.query(
    `insert into users (username, email, password_hash, role)
     values ('owner', 'owner@example.test', 'none', 'superuser')`,
  )
  await connection.end()
}

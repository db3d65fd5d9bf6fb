import { randomUUID } from 'node:crypto'
import { migrateRemote } from '#server/db/migrate.ts'
import { atLeast, informative, type Part, times } from '#tests/bench/part.ts'
import { openHost } from '#tests/bench/stage.ts'
import { interleave, median, timed } from '#tests/bench/statistics.ts'
import {
  end,
  launchScript,
  newFolder,
  type Started,
  serveSettings,
  whenReady,
} from '#tests/launch.ts'
import { startPostgres } from '#tests/postgres.ts'
import { atOnce, client, contactBody, visitor } from './client.ts'

const ROUNDS = 7
const REQUESTS = 500
const CONNECTIONS = 10

/** Submissions per second, compared with a hand-written handler that stores the same kinds of rows. */
export const intake: Part = {
  name: 'intake',
  async measure() {
    const postgres = await startPostgres()
    try {
      for (const name of ['ours', 'reference']) await postgres.createDatabase(name)
      await migrateRemote({ kind: 'pg', url: postgres.url('ours') })
      const stages = {
        PostgreSQL: await compare(
          { DATABASE_URL: postgres.url('ours') },
          postgres.url('reference'),
        ),
        embedded: await compare({}, newFolder()),
      }
      return {
        rows: Object.entries(stages).flatMap(([database, { ratios, perSecond }]) => [
          atLeast(
            `POST /api/contacts against a hand-written handler, ${database}`,
            median(ratios),
            0.5,
            times,
          ),
          informative(
            `submissions a second, and the hand-written handler’s, ${database}`,
            [median(perSecond.ours), median(perSecond.reference)].map(Math.round),
            'for comparison',
          ),
        ]),
        details: stages,
      }
    } finally {
      await postgres.stop()
    }
  },
}

/** Rounds of ours and the reference's in turns, with the mail of ours on its way. */
async function compare(env: Record<string, string>, database: string) {
  const hosts = await Promise.all([
    openHost(env),
    whenReady(
      launchScript('tests/bench/api/reference-intake.ts', [database], {}, serveSettings().flags),
    ),
  ])
  const [ours, reference] = hosts
  try {
    const tasks = { reference: round(reference), ours: round(ours) }
    await interleave(1, tasks)
    const perSecond = await interleave(ROUNDS, tasks)
    return {
      ratios: perSecond.ours.map((rate, index) => rate / (perSecond.reference[index] ?? 0)),
      perSecond,
    }
  } finally {
    for (const host of hosts) await end(host.process)
  }
}

/** Sends the next submissions; answers how many there were a second. */
function round({ url }: Started): () => Promise<number> {
  const { send } = client(url, CONNECTIONS)
  let sent = 0
  return async () => {
    const first = sent
    sent += REQUESTS
    const duration = await timed(() =>
      atOnce(REQUESTS, CONNECTIONS, async (n) => {
        const headers = { ...visitor(first + n), 'Idempotency-Key': randomUUID() }
        const { status, body } = await send(
          'POST',
          '/api/contacts',
          headers,
          contactBody(first + n),
        )
        if (status !== 201) throw new Error(`${url} answers ${status}: ${body}`)
      }),
    )
    return (REQUESTS / duration) * 1_000
  }
}

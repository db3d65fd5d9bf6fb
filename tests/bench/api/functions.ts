import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateRemote } from '#server/db/migrate.ts'
import { atMost, milliseconds, type Part } from '#tests/bench/part.ts'
import { requireBuiltSite } from '#tests/bench/stage.ts'
import { interleave, median } from '#tests/bench/statistics.ts'
import { functionSettings, packFunctions, startFunction } from '#tests/functions.ts'
import { startPostgres } from '#tests/postgres.ts'
import { contactBody } from './client.ts'

const RUNS = 9

/** The deployed packages: their size, and the time to the first answer of a new process. */
export const functions: Part = {
  name: 'functions',
  async measure() {
    await requireBuiltSite()
    const packages = await packFunctions(mkdtempSync(join(tmpdir(), 'fledge-functions-')))
    const postgres = await startPostgres()
    try {
      await postgres.createDatabase('deployed')
      const url = postgres.url('deployed')
      await migrateRemote({ kind: 'pg', url })
      let calls = 0
      const first =
        (path: string, isPost = false) =>
        async () => {
          const { process, call } = startFunction(packages.home('api'), functionSettings(url))
          calls += 1
          const answer = await call(path, isPost ? JSON.parse(contactBody(calls)) : undefined)
          process.kill('SIGKILL')
          if (answer.status >= 300) throw new Error(`${path} answers ${answer.status}`)
          return answer.at
        }
      const tasks = { read: first('/api/health'), write: first('/api/contacts', true) }
      // The first process creates the superuser, which happens once per site.
      await interleave(1, tasks)
      const values = await interleave(RUNS, tasks)
      const embedded = packages.sizes.flatMap(({ name }) =>
        packages.files(name.replace('.zip', '')).filter((file) => file.includes('electric-sql')),
      )
      return {
        rows: [
          ...packages.sizes.map(({ name, bytes }) =>
            atMost(`${name}`, bytes / 1e6, 3, (megabytes) => `${megabytes.toFixed(2)} MB`),
          ),
          atMost('files of the embedded database in them', embedded.length, 0),
          atMost(
            `first answer of a fresh process, median of ${RUNS}`,
            median(values.read),
            400,
            milliseconds,
          ),
          atMost(
            `first submission taken by a fresh process, median of ${RUNS}`,
            median(values.write),
            400,
            milliseconds,
          ),
        ],
        details: { sizes: packages.sizes, milliseconds: values },
      }
    } finally {
      await postgres.stop()
    }
  },
}

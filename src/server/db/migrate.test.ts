import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrateRemote, requireMigrated } from '#server/db/migrate.ts'
import { connectRemote } from '#server/db/remote.ts'
import { newPostgres } from '#server/db/testing.ts'
import journal from '../../../drizzle/meta/_journal.json' with { type: 'json' }

test('a database without the migrations stops the start with a hint', async () => {
  const { url } = await newPostgres('blank')
  const connection = await connectRemote({ kind: 'pg', url })
  await expect(requireMigrated(connection)).rejects.toThrow('npm run db:migrate')
  await connection.close()
})

test('two releases at once migrate one after the other', async () => {
  const { url, neonEndpoint } = await newPostgres('blank')
  const applied = await Promise.all([
    migrateRemote({ kind: 'pg', url }),
    migrateRemote({ kind: 'neon', url, fetchEndpoint: neonEndpoint }),
  ])
  expect(applied.map((names) => names.length).sort()).toEqual([0, journal.entries.length])
  const connection = await connectRemote({ kind: 'neon', url, fetchEndpoint: neonEndpoint })
  await requireMigrated(connection)
  await connection.close()
})

test('schema and migrations agree', () => {
  // On a copy: where they differ, the tool writes the missing migration.
  mkdirSync('node_modules/.cache', { recursive: true })
  const copy = mkdtempSync(join('node_modules', '.cache', 'drizzle-'))
  cpSync('drizzle', copy, { recursive: true })
  const output = execFileSync(
    'node_modules/.bin/drizzle-kit',
    ['generate', '--dialect=postgresql', '--schema=./src/server/db/schema/*.ts', `--out=./${copy}`],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  )
  expect(output).toContain('No schema changes')
})

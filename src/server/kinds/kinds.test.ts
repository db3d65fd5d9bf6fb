import { expect } from 'vitest'
import { submissions } from '#contract/privacy/rules.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { test } from '#server/testing.ts'
import { kinds } from './kinds.ts'

test('every field that is stored about a person has a purpose that the privacy page names', () => {
  for (const { path, fields } of kinds)
    expect(Object.keys(submissions[path].fields).sort()).toEqual([...fields].sort())
})

test('each table of records counts its rows, and purges what was written while they were erased', async ({
  db,
}) => {
  const made = await rows<{ kind: string; name: string }>(
    db,
    sql`select tgrelid::regclass::text as kind, tgname as name from pg_trigger where not tgisinternal`,
  )
  const suffixes = ['count_delete', 'count_insert', 'count_update', 'purge_late']
  for (const { path } of kinds)
    expect(made.flatMap(({ kind, name }) => (kind === path ? [name] : [])).toSorted()).toEqual(
      suffixes.map((suffix) => `${path}_${suffix}`),
    )
})

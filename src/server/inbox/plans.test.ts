import { expect } from 'vitest'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { testOnAll } from '#server/db/testing.ts'
import { vacuum } from '#server/db/vacuum.ts'
import { contacts } from '#server/kinds/contacts.ts'
import { toFilter } from './store/filter.ts'
import { listStatement } from './store/list.ts'

const COUNT = 10_000
const BATCH = 5_000

/** Enough records that a plan that reads them all shows as the dearer one. */
const fill = async (db: Database): Promise<void> => {
  await rows(
    db,
    sql`insert into users (username, email, password_hash, role)
      values ('editor', 'editor@staff.test', 'none', 'editor')`,
  )
  for (let start = 0; start < COUNT; start += BATCH)
    await rows(
      db,
      sql`insert into contacts (name, email, message, search, text_hash, created_at, status, box, assignee_id, waiting_for)
        select name, email, message, lower(name || E'\n' || email || E'\n' || message), md5(message), at,
          case when i % 3 = 0 then 'handled' else 'new' end,
          case when i % 50 = 0 then 'spam' else 'inbox' end,
          case when i % 2 = 0 then (select id from users) end,
          case when i % 10 = 1 then 'us' end
        from (
          select i, 'Sample ' || md5(i::text) as name, 'sample' || i || '@mail.example' as email,
            'A page for our shop, number ' || md5('x' || i) as message,
            now() - i * interval '5 minutes' as at
          from generate_series(${start}::int, ${start + BATCH - 1}::int) as i
        ) as given`,
    )
  await vacuum(db)
}

const planOf = async (db: Database, statement: SQL): Promise<string> => {
  const lines = await rows<{ 'QUERY PLAN': string }>(db, sql`explain ${statement}`)
  return lines.map((line) => line['QUERY PLAN']).join('\n')
}

const cursor = { key: '2026-01-01T00:00:00.000Z', id: '01890000-0000-7000-8000-000000000000' }

// The index that gives the page in its order, or finds what is searched for.
const expected: [query: Parameters<typeof toFilter>[0], index: string][] = [
  [{}, 'contacts_newest_idx'],
  [{ sort: 'createdAt' }, 'contacts_newest_idx'],
  [{ status: 'handled' }, 'contacts_status_newest_idx'],
  [{ box: 'spam' }, 'contacts_newest_idx'],
  [{ sort: 'name' }, 'contacts_name_idx'],
  [{ sort: '-name', status: 'new' }, 'contacts_status_name_idx'],
  [{ sort: 'due' }, 'contacts_owed_idx'],
  [{ sort: 'due', status: 'new' }, 'contacts_owed_idx'],
  [{ sort: 'due', assignee: 'none' }, 'contacts_owed_idx'],
  [{ assignee: 'editor' }, 'contacts_assignee_idx'],
  [{ assignee: 'none' }, 'contacts_assignee_idx'],
  [{ from: '2026-01-01', to: '2026-01-31' }, '_newest_idx'],
  [{ q: 'sample77@' }, 'contacts_search_idx'],
  [{ q: 'number 7' }, 'contacts_search_idx'],
  [{ q: 'sample77@', status: 'new', sort: 'name' }, 'contacts_search_idx'],
]

testOnAll('lists and searches go by an index and never read the whole table', async ({ db }) => {
  await fill(db)
  for (const [query, index] of expected)
    for (const from of [undefined, cursor]) {
      const keys: Record<string, string> = {
        name: 'sample 5',
        '-name': 'sample 5',
        due: '5001800000000',
      }
      const at = from && { ...from, key: keys[query.sort ?? ''] ?? from.key }
      const plan = await planOf(
        db,
        listStatement(contacts, toFilter(query), { count: 51, cursor: at }),
      )
      expect(plan, JSON.stringify(query)).toContain(index)
      expect(plan, JSON.stringify(query)).not.toContain('Seq Scan on contacts')
      // The page comes in the index's own order: nothing is sorted before it is cut.
      if (query.q === undefined)
        expect(plan, JSON.stringify(query)).not.toMatch(
          /Limit[^\n]*\n\s*->\s+(?:Incremental )?Sort/,
        )
    }
  // Counts are stored: the only look at the table is the page itself.
  for (const query of [{}, { status: 'new' }, { assignee: 'editor' }]) {
    const plan = await planOf(db, listStatement(contacts, toFilter(query), { count: 51 }))
    // Of what is owed only the records that are due today or snoozed are looked at.
    expect(plan).toContain('contacts_owed_idx')
    expect(plan).toContain('contacts_snoozed_idx')
    expect(plan).not.toContain('Seq Scan on contacts')
    expect(plan).toContain('record_counts')
  }
  // A jump counts the places that it passes over on the index, and reads the page alone.
  for (const query of [
    {},
    { status: 'new' },
    { assignee: 'editor' },
    { sort: 'createdAt' },
    { sort: 'due' },
  ] as const) {
    const plan = await planOf(
      db,
      listStatement(contacts, toFilter(query), { count: 51, skip: 4_000 }),
    )
    expect(plan, JSON.stringify(query)).toContain('Index Only Scan')
    expect(plan, JSON.stringify(query)).not.toContain('Seq Scan on contacts')
    expect(plan, JSON.stringify(query)).not.toMatch(/Limit[^\n]*\n\s*->\s+(?:Incremental )?Sort/)
  }
})

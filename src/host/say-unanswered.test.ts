import { expect } from 'vitest'
import type { LogEntry } from '#server/deps.ts'
import { submit } from '#server/inbox/testing.ts'
import { seedWith, test } from '#server/testing.ts'
import { withContent } from '#site/content.ts'
import { sayUnanswered } from './prepare-users.ts'

test('a start says which positions have closed while applicants wait', async ({ api }) => {
  await submit(api, 'applications', { position: 'backend-intern' })
  await submit(api, 'applications', { position: 'frontend-intern' })
  await submit(api, 'applications', { position: 'other' })
  const logged: LogEntry[] = []
  await withContent(seedWith('openings', { 'backend-intern': { open: false } }), () =>
    sayUnanswered({ db: api.deps.db, log: (entry) => logged.push(entry) }),
  )
  expect(logged).toEqual([
    {
      level: 'warn',
      event: 'applicants_wait',
      position: 'backend-intern',
      group: 'open',
      count: 1,
      closing: 'closed',
    },
  ])
})

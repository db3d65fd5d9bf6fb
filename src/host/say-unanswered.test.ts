import { expect } from 'vitest'
import type { LogEntry } from '#server/deps.ts'
import { submit } from '#server/inbox/testing.ts'
import { test, testApi, withPositions } from '#server/testing.ts'
import { withContent } from '#site/content.ts'
import { sayUnanswered } from './prepare-users.ts'

test('a start says which positions have closed while applicants wait', async ({ db }) => {
  const api = testApi(db, { content: withPositions({ ended: {}, open: {} }) })
  await submit(api, 'applications', { position: 'ended' })
  await submit(api, 'applications', { position: 'open' })
  await submit(api, 'applications', { position: 'other' })
  const logged: LogEntry[] = []
  await withContent(withPositions({ ended: { opening: { open: false } }, open: {} }), () =>
    sayUnanswered({ db, log: (entry) => logged.push(entry) }),
  )
  expect(logged).toEqual([
    {
      level: 'warn',
      event: 'applicants_wait',
      position: 'ended',
      group: 'open',
      count: 1,
      closing: 'closed',
    },
  ])
})

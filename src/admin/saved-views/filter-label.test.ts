import { expect, test } from 'vitest'
import { applicationsView } from '../record/kinds/applications.ts'
import { filterLabel } from './filter-label.ts'

test('a saved view names everything that it filters by', () => {
  const labels = { pilot: 'Test Pilot' }
  const topics = { field: 'position', label: 'Position', labels } as const
  const view = { ...applicationsView, topics }
  const filter = {
    box: 'spam',
    status: 'new',
    answers: 'late',
    dueFrom: '2026-10-01',
    dueTo: '2026-10-31',
    position: 'pilot',
    assignee: 'none',
    from: '2026-11-01',
    to: '2026-11-30',
    q: 'Ada',
    sort: 'createdAt',
  } as const
  expect(filterLabel(view, filter)).toBe(
    'Spam, New, answered late from 1 October 2026 to 31 October 2026, Test Pilot, assigned to nobody, from 1 November 2026, until 30 November 2026, with “Ada”, oldest first',
  )
})

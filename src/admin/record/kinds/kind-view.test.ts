import { expect, test } from 'vitest'
import type { InboxRecord } from '../record.ts'
import { excerpt, nextStatus } from './kind-view.ts'
import { views } from './views.ts'

test('the next status leads to a yes and stops there: no single key rejects', () => {
  const ways = Object.values(views).map((view) => {
    const way: string[] = []
    for (let at = view.statuses[0]; at; at = nextStatus(view, at.value) ?? undefined)
      way.push(at.value)
    return way
  })
  expect(ways).toEqual([
    ['pending', 'contacted', 'completed'],
    ['new', 'reviewing', 'interviewed', 'accepted'],
    ['new', 'handled'],
  ])
})

test('a row names a choice that the site has no more as its record does, and a decision that nobody was told', () => {
  const { consultations, applications } = views
  const gone = {
    service: 'gone',
    serviceLabel: 'Gone package',
    position: 'gone',
    score: { mine: null },
  }
  const record = { ...gone, positionLabel: 'Gone position' } as unknown as InboxRecord
  expect(applications.tag({ ...record, untold: true })).toBe('Gone position, not told')
  expect([consultations.tag(record), applications.tag(record)]).toEqual([
    'Gone package',
    'Gone position',
  ])
})

test('the beginning of a text is cut between characters', () => {
  const shown = excerpt(`a${'\u{1F642}'.repeat(100)}`)
  expect(shown).toBe(`a${'\u{1F642}'.repeat(79)}`)
})

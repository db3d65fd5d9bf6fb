import { expect, test } from 'vitest'
import { findEntries } from './entry.ts'

const labels = ['Reply to Ada', 'Mark as Contacted', 'Later …', 'Assign …', 'Delete', 'Logout']
const entries = labels.map((label) => ({ id: label, label, run: () => undefined }))

const found = (query: string): string[] =>
  findEntries(query, { title: 'With Ada, open now', entries }).hits.map(({ label }) => label)

test('an entry is found by its own words, by its group, and by other words for it', () => {
  expect(found('late')).toEqual(['Later …'])
  expect(found('open now')).toEqual(labels)
  expect(found('snooze')).toEqual(['Later …'])
  expect(found('Postp')).toEqual(['Later …'])
  expect(found('sign out')).toEqual(['Logout'])
  expect(found('set status')).toEqual(['Mark as Contacted'])
  expect(found('remove')).toEqual(['Delete'])
})

test('other words find nothing by a letter or two, nor together with what is not there', () => {
  expect(found('sn')).toEqual([])
  expect(found('snooze x')).toEqual([])
})

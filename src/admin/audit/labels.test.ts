import { expect, test } from 'vitest'
import type { AuditEntry } from '#contract/audit.ts'
import { actorLabel, detailsLabel } from './labels.ts'

const entry = (more: Partial<AuditEntry>): AuditEntry => ({
  _id: '',
  at: '',
  by: null,
  byId: null,
  kind: 'user.update',
  target: null,
  fields: [],
  ...more,
})

test('who did it is named as then and as now', () => {
  const users = [
    { _id: '1', username: 'lovelace' },
    { _id: '2', username: 'ada' },
  ]
  const name = (more: Partial<AuditEntry>) => actorLabel(entry(more), users)
  expect(name({ by: 'lovelace', byId: '1' })).toBe('lovelace')
  expect(name({ by: 'ada', byId: '1' })).toBe('ada (now lovelace)')
  expect(name({ by: 'ada', byId: null })).toBe('ada (deleted)')
  expect(name({ via: 'start' })).toBe('The program, as it started')
})

test('fields of an account show their values, secrets and addresses their name alone', () => {
  expect(
    detailsLabel(
      entry({ fields: ['email', 'role', 'password'], changes: { role: ['editor', 'admin'] } }),
    ),
  ).toBe('email, role: editor → admin, password')
  expect(detailsLabel(entry({ changes: { username: ['ada', null], role: ['user', null] } }))).toBe(
    'username: ada, role: user',
  )
  expect(detailsLabel(entry({ counts: { contacts: 2, mailBodies: 1 } }))).toBe(
    'contacts: 2, mailBodies: 1',
  )
})

import { expect, test } from 'vitest'
import { type AuditEntry, eventKinds } from '#contract/audit.ts'
import { actorLabel, detailsLabel, kindLabel, targetLabel } from './labels.ts'

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

test('every kind of entry has words of its own', () => {
  for (const kind of eventKinds) {
    expect(kindLabel(kind)).toMatch(/^[A-Z]/)
    expect(kindLabel(kind)).not.toMatch(/[._]/)
    expect(kindLabel(kind).toLowerCase()).not.toBe(kind)
  }
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
    'contacts: 2, mail bodies: 1',
  )
})

test('a change of a record says from what to what', () => {
  const target = { kind: 'consultations', _id: '0190aaaa-0000-7000-8000-00000000beef' }
  expect(
    detailsLabel(
      entry({ target, fields: ['status'], changes: { status: ['pending', 'contacted'] } }),
    ),
  ).toBe('status: Pending → Contacted')
  expect(
    detailsLabel(entry({ target, fields: ['assignee'], changes: { assignee: [null, 'ada'] } })),
  ).toBe('assignee: nobody → ada')
  expect(
    detailsLabel(
      entry({
        kind: 'status',
        target,
        fields: ['status', 'completedBy', 'completedAt'],
        changes: { status: ['pending', 'contacted'] },
      }),
    ),
  ).toBe('status: Pending → Contacted')
  expect(detailsLabel(entry({ kind: 'corrected', target, fields: ['email'] }))).toBe('email')
  expect(targetLabel(target, [])).toBe('Consultation 0000BEEF')
  expect(targetLabel({ ...target, name: 'Ximena' }, [])).toBe('Consultation of Ximena')
  // A call of an agent need not be about a record.
  expect(targetLabel({ kind: 'agents', _id: null }, [])).toBe('–')
})

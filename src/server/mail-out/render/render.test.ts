import { expect, test } from 'vitest'
import { contacts } from '#server/kinds/contacts.ts'
import { renderReplyMail, renderStaffMail } from './render.ts'

test('in a mail to staff a name keeps its script’s direction and its position', () => {
  const fields = { name: 'שרה כהן', email: 'sara@people.example', message: 'مرحبا' }
  const { html, subject, text } = renderStaffMail(
    contacts,
    { id: '01900000-0000-7000-8000-000000000001', fields, receivedAt: new Date(0) },
    'https://fledge.test',
  )
  expect(subject).toMatch(/^שרה כהן: /)
  expect(text).toContain('שרה כהן')
  expect(html).toMatch(/<td dir="auto"[^>]*>שרה כהן<\/td>/)
  expect(html).toMatch(/<p dir="auto"[^>]*>مرحبا<\/p>/)
})

test('in a subject a name that is an encoded word stays the letters that were typed', () => {
  const fields = { name: '=?utf-8?Q?=0D=0ABcc:_?=', email: 'eve@people.example', message: 'Hi' }
  const record = { id: '01900000-0000-7000-8000-000000000001', fields, receivedAt: new Date(0) }
  const mails = [
    renderStaffMail(contacts, record, 'https://fledge.test'),
    renderReplyMail(contacts, record, { text: 'Hi' }, 'https://fledge.test'),
  ]
  for (const { subject } of mails) expect(subject).toMatch(/^= \?utf-8\?Q\?=0D=0ABcc:_\?=: /)
})

import { expect, test } from 'vitest'
import { applications } from '#server/kinds/applications.ts'
import { contacts } from '#server/kinds/contacts.ts'
import { withoutCareers } from '#server/testing.ts'
import { withContent } from '#site/content.ts'
import { renderNotice, renderReplyMail, renderStaffMail } from './render.ts'

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

test('a reply to what is switched off leads to no screen', () => {
  const record = { id: '01900000-0000-7000-8000-000000000001', fields: { name: 'Ada' } }
  const siteUrl = 'https://fledge.test'
  const reply = () => [
    renderReplyMail(applications, record, { text: 'Hi' }, siteUrl),
    renderNotice(applications, record, { siteUrl, url: 'https://chat.example', event: 'reply' }),
  ]
  const link = '/admin/applications?id='
  for (const one of reply()) expect(JSON.stringify(one)).toContain(link)
  for (const one of withContent(withoutCareers(), reply))
    expect(JSON.stringify(one)).not.toContain(link)
})

import { expect, test } from 'vitest'
import { contacts } from '#server/kinds/contacts.ts'
import { renderStaffMail } from './render.ts'

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

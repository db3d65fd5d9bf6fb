import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { defineKind } from './define-kind.ts'
import { email, personName } from './fields.ts'
import { limits } from './limits.ts'
import { receipt, submission } from './submission.ts'
import { longText } from './text.ts'

export const contactFields = {
  name: personName,
  email,
  message: longText('Message', { max: limits.message }),
}

export const sendContact = endpoint('POST /api/contacts', {
  summary: 'Send a contact message',
  access: 'public',
  body: submission(contactFields),
  output: receipt({}),
  status: 201,
  form: true,
})

export const contacts = defineKind({
  path: 'contacts',
  steps: {
    new: { label: 'New', stage: 'waiting' },
    handled: { label: 'Handled', stage: 'done' },
  },
  promisedIn: 'new',
  fields: { name: z.string(), email: z.string(), message: z.string() },
  labels: { name: 'Name', email: 'Email', message: 'Message' },
  who: 'handledBy',
  at: 'handledAt',
})

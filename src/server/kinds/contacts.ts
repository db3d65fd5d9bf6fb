import { contacts as contract, sendContact } from '#contract/contacts.ts'
import { limits } from '#contract/limits.ts'
import { contacts as table } from '#server/db/schema/contacts.ts'
import { describeKind } from './kind.ts'

export const contacts = describeKind(contract, {
  table,
  submit: sendContact,
  searched: ['name', 'email', 'message'],
  longText: 'message',
  mail: {
    subject: () => 'message from the website',
    facts: ['name', 'email'],
    acknowledgement: {
      subject: 'We have your message',
      paragraphs: () => [
        'Thank you for writing. Your message has arrived and a person will read it.',
        `We get back to you within ${limits.promiseHours} hours, at this address. There is nothing you need to do until then.`,
      ],
    },
  },
})

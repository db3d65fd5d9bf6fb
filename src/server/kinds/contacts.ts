import { contacts as contract, sendContact } from '#contract/contacts.ts'
import { contacts as table } from '#server/db/schema/contacts.ts'
import { fieldText, type Kind } from './kind.ts'

export const contacts: Kind = {
  path: 'contacts',
  table,
  submit: sendContact,
  statuses: contract.statuses,
  who: contract.who,
  at: contract.at,
  fields: ['name', 'email', 'message'],
  searched: ['name', 'email', 'message'],
  longText: 'message',
  asksConsent: false,
  mail: {
    subject: () => 'message from the website',
    facts: (fields) => [
      ['Name', fieldText(fields.name)],
      ['Email', fieldText(fields.email)],
    ],
    acknowledgement: {
      subject: 'We have your message',
      paragraphs: () => [
        'Thank you for writing. Your message has arrived and a person will read it.',
        'We get back to you as soon as possible, at this address. There is nothing you need to do until then.',
      ],
      promises: false,
    },
  },
}

import { contacts } from '#contract/contacts.ts'
import { countOf } from '../../format/count.ts'
import { site } from '../../site.ts'
import type { Contact } from '../record.ts'
import { excerpt, kindView } from './kind-view.ts'

const { labels } = contacts

export const contactsView = kindView(contacts, {
  title: 'Contacts',
  noun: 'contact message',
  nouns: 'contact messages',
  counted: 'total messages',
  form: '/#contact',
  actions: {
    new: null,
    handled: 'Mark as Handled',
  },
  heading: (matching) => `${countOf(matching)} Contact ${matching === 1 ? 'Message' : 'Messages'}`,
  nothingSelected: 'No Message Selected',
  line: ({ message }: Contact) => excerpt(message),
  tag: () => null,
  outcomes: {},
  topics: null,
  facts: (record: Contact) => [
    { term: labels.email, value: record.email, as: 'email' },
    { term: 'Date received', value: record.createdAt, as: 'instant' },
  ],
  body: ({ message }: Contact) => ({ text: message }),
  mail: { label: 'Reply via Email', subject: () => `Re: Your Message to ${site.name}` },
  placeholders: () => ({}),
})

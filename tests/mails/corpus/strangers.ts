import { html, plain } from '../compose.ts'
import { type CorpusMail, mailOf, type Place, strangerHeaders } from './corpus.ts'

/** Mail that is about no record. */
export const strangers = ({ domain }: Place): CorpusMail[] => {
  const links = Array.from({ length: 6 }, (_, n) => `https://strangers.test/${n}`).join(' ')
  const repeated = (n: number): CorpusMail => ({
    name: `the same text for the ${['first', 'second', 'third'][n]} time`,
    raw: mailOf(strangerHeaders(`repeat${n}@strangers.test`, domain), plain('Buy our seals.')),
    expected: {
      as: 'contact',
      on: 'new',
      written: 'Buy our seals.',
      ...(n === 2 ? { spam: ['repeat'] } : {}),
    },
  })
  return [
    {
      name: 'a question',
      raw: mailOf(strangerHeaders('question@strangers.test', domain), plain('What does it cost?')),
      expected: {
        as: 'contact',
        on: 'new',
        written: 'What does it cost?',
        name: 'Max Stranger',
        email: 'question@strangers.test',
        subject: 'A question',
      },
    },
    {
      name: 'a question in HTML',
      raw: mailOf(
        strangerHeaders('htmlquestion@strangers.test', domain),
        html('<h1>Hello</h1><p>How long does it take?</p>'),
      ),
      expected: { as: 'contact', on: 'new', written: 'Hello\n\nHow long does it take?' },
    },
    {
      name: 'without a subject',
      raw: mailOf(
        [
          ['From', 'nosubject@strangers.test'],
          ['To', `hello@${domain}`],
        ],
        plain('No subject.'),
      ),
      expected: { as: 'contact', on: 'new', written: 'No subject.', name: 'nosubject' },
    },
    {
      name: 'without a recipient',
      raw: mailOf([['From', 'norecipient@strangers.test']], plain('No recipient.')),
      expected: { as: 'contact', on: 'new', written: 'No recipient.' },
    },
    {
      name: 'many links',
      raw: mailOf(strangerHeaders('links@strangers.test', domain), plain(`Look: ${links}`)),
      expected: { as: 'contact', on: 'new', written: `Look: ${links}`, spam: ['links'] },
    },
    {
      name: 'many links in HTML',
      raw: mailOf(
        strangerHeaders('htmllinks@strangers.test', domain),
        html(
          `<p>${links
            .split(' ')
            .map((url) => `<a href="${url}">here</a>`)
            .join(' ')}</p>`,
        ),
      ),
      expected: {
        as: 'contact',
        on: 'new',
        written: links
          .split(' ')
          .map((url) => `here <${url}>`)
          .join(' '),
        spam: ['links'],
      },
    },
    repeated(0),
    repeated(1),
    repeated(2),
    ...Array.from(
      { length: 12 },
      (_, n): CorpusMail => ({
        name: `more than ten mails of one sender in an hour, ${n + 1}`,
        raw: mailOf(
          strangerHeaders('often@strangers.test', domain),
          plain(`Mail number ${n + 1}.`),
        ),
        expected: { as: 'contact', on: 'new', written: `Mail number ${n + 1}.` },
      }),
    ),
  ]
}

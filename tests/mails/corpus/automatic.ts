import { type Header, multipart, plain, rawMail } from '../compose.ts'
import {
  type Conversation,
  type CorpusMail,
  headers,
  mailOf,
  type Place,
  records,
  replyHeaders,
  strangerHeaders,
} from './corpus.ts'

/** Out of the office, in ten languages: subject and text. */
const absences: Record<string, [subject: string, text: string]> = {
  English: ['Automatic reply: We have your message', 'I am out of the office until Monday.'],
  German: ['Abwesenheitsnotiz: We have your message', 'Ich bin bis Montag nicht im Büro.'],
  French: ['Réponse automatique : We have your message', 'Je suis absente jusqu’à lundi.'],
  Spanish: [
    'Respuesta automática: We have your message',
    'Estaré fuera de la oficina hasta el lunes.',
  ],
  Italian: ['Risposta automatica: We have your message', 'Sono fuori ufficio fino a lunedì.'],
  Dutch: ['Automatisch antwoord: We have your message', 'Ik ben tot maandag afwezig.'],
  Portuguese: ['Resposta automática: We have your message', 'Estou ausente até segunda-feira.'],
  Polish: ['Odpowiedź automatyczna: We have your message', 'Jestem poza biurem do poniedziałku.'],
  Russian: ['Автоматический ответ: We have your message', 'Меня нет в офисе до понедельника.'],
  Japanese: ['自動応答: We have your message', '月曜日まで不在です。'],
}

/** What marks a mail as automatic; each absence has one of them. */
const marks: Header[][] = [
  [['Auto-Submitted', 'auto-replied']],
  [['Auto-Submitted', 'auto-replied (vacation)']],
  [['Auto-Submitted', 'auto-generated; owner-email="zoe@people.test"']],
  [
    ['Auto-Submitted', 'no'],
    ['Auto-Submitted', 'AUTO-NOTIFIED'],
  ],
  [
    ['Precedence', 'first-class'],
    ['Precedence', 'bulk'],
  ],
  [['Precedence', 'junk']],
  [['Precedence', 'list']],
  [['List-Id', 'Absences <absences.people.test>']],
  [['Return-Path', '<MAILER-DAEMON>']],
  [
    ['Return-Path', '< >'],
    ['Auto-Submitted', 'no'],
  ],
]

const withoutAnswer = (conversation: Conversation, own: readonly Header[]): Header[] => [
  ...replyHeaders(conversation).filter(([name]) => !own.some(([other]) => other === name)),
  ...own,
]

interface Report {
  action: string
  returned?: 'mail' | 'headers' | 'nothing'
  own?: readonly Header[]
}

/** A report of a mail server about one of our mails (RFC 3464). */
const report = (
  { sender, replyAddress, messageId }: Conversation,
  { action, returned = 'mail', own = [] }: Report,
): Buffer => {
  const fields = `Reporting-MTA: dns; mx.people.test\nArrival-Date: Fri, 20 Nov 2026 10:12:00 +0000\n\nFinal-Recipient: rfc822; ${sender}\nAction: ${action}\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such user\n`
  const original: Header[] = [
    ['From', 'Agency <no-reply@fledge.test>'],
    ['To', sender],
    ['Subject', 'We have your message'],
    ['Message-ID', messageId],
  ]
  const copies = {
    mail: [{ type: 'message/rfc822', body: rawMail(original, 'Thank you for writing.') }],
    headers: [{ type: 'text/rfc822-headers', body: rawMail(original, '') }],
    nothing: [],
  }
  const { type, body } = multipart('report; report-type=delivery-status', [
    plain('Your mail could not be delivered.'),
    { type: 'message/delivery-status', body: fields },
    ...copies[returned],
  ])
  return rawMail(
    headers([
      ['From', 'Mail Delivery System <mailer-daemon@people.test>'],
      ['To', replyAddress],
      ['Subject', 'Undelivered Mail Returned to Sender'],
      ['Return-Path', '<>'],
      ['Content-Type', type],
      ...own,
    ]),
    body,
  )
}

const DAEMON = 'mailer-daemon@people.test'

export const automatic = (place: Place): CorpusMail[] => {
  const { consultation, application, contact, domain } = place
  const absent = Object.entries(absences)
  const bounce = (name: string, raw: Buffer, on: CorpusMail['expected']['on']): CorpusMail => ({
    name,
    raw,
    expected: {
      as: 'auto',
      on,
      written: 'Your mail could not be delivered.',
      ...(on === 'new' ? { spam: ['auto'] } : { from: DAEMON }),
    },
  })
  return [
    ...absent.map(([language, [subject, text]], index): CorpusMail => {
      const on = records[index % records.length] ?? 'contact'
      const own: Header[] = [...(marks[index] ?? []), ['Subject', subject]]
      return {
        name: `out of the office, ${language}`,
        raw: mailOf(withoutAnswer(place[on], own), plain(text)),
        expected: { as: 'auto', on, written: text },
      }
    }),
    ...absent.map(([language, [subject, text]], index): CorpusMail => {
      const own: Header[] = [...(marks.at(-index) ?? []), ['Subject', subject]]
      const to = strangerHeaders(`absent${index}@strangers.test`, domain)
      return {
        name: `out of the office about no record, ${language}`,
        raw: mailOf([...to.filter(([name]) => name !== 'Subject'), ...own], plain(text)),
        expected: {
          as: 'auto',
          on: 'new',
          written: text,
          spam: ['auto'],
          name: 'Max Stranger',
          subject,
        },
      }
    }),
    {
      name: 'Auto-Submitted: no is a person’s',
      raw: mailOf([...replyHeaders(consultation), ['Auto-Submitted', 'no']], plain('It is me.')),
      expected: { as: 'reply', on: 'consultation', written: 'It is me.' },
    },
    {
      name: 'a return path with an address is a person’s',
      raw: mailOf(
        [...replyHeaders(application), ['Return-Path', '<zoe@people.test>']],
        plain('Me too.'),
      ),
      expected: { as: 'reply', on: 'application', written: 'Me too.' },
    },
    {
      name: 'Precedence: first-class is a person’s',
      raw: mailOf([...replyHeaders(contact), ['Precedence', 'first-class']], plain('And me.')),
      expected: { as: 'reply', on: 'contact', written: 'And me.' },
    },
    {
      name: 'an automatic reply from another address',
      raw: mailOf(
        [
          ['From', 'Helpdesk <desk@strangers.test>'],
          ['To', consultation.replyAddress],
          ['Auto-Submitted', 'auto-replied'],
        ],
        plain('Your ticket is 12345.'),
      ),
      expected: {
        as: 'auto',
        on: 'consultation',
        from: 'desk@strangers.test',
        written: 'Your ticket is 12345.',
      },
    },
    bounce('failed, the mail returned', report(consultation, { action: 'failed' }), 'consultation'),
    bounce(
      'failed, the headers returned',
      report(application, { action: 'failed', returned: 'headers' }),
      'application',
    ),
    bounce(
      'failed, nothing returned but the answered mail named',
      report(contact, {
        action: 'Failed',
        returned: 'nothing',
        own: [['In-Reply-To', contact.messageId]],
      }),
      'contact',
    ),
    bounce('delayed', report(consultation, { action: 'delayed' }), 'consultation'),
    bounce('relayed', report(application, { action: 'relayed' }), 'application'),
    bounce('delivered', report(contact, { action: 'delivered' }), 'contact'),
    bounce(
      'about the returned mail alone',
      report({ ...consultation, replyAddress: `no-reply@${domain}` }, { action: 'failed' }),
      'consultation',
    ),
    bounce(
      'about somebody else’s mail',
      report(
        {
          sender: 'nobody@people.test',
          replyAddress: `no-reply@${domain}`,
          messageId: '<unknown@people.test>',
        },
        { action: 'failed' },
      ),
      'new',
    ),
    {
      name: 'a bounce in plain text',
      raw: mailOf(
        [
          ['From', `<${DAEMON}>`],
          ['To', application.replyAddress],
          ['Return-Path', '<>'],
          ['Subject', 'failure notice'],
        ],
        plain('Hi. This is the qmail-send program.\nI could not deliver your message.'),
      ),
      expected: {
        as: 'auto',
        on: 'application',
        from: DAEMON,
        written: 'Hi. This is the qmail-send program.\nI could not deliver your message.',
      },
    },
    {
      name: 'a receipt for a read mail',
      raw: mailOf(
        [...replyHeaders(contact), ['Subject', 'Read: We have your message']],
        multipart('report; report-type=disposition-notification', [
          plain('Your message was read.'),
          {
            type: 'message/disposition-notification',
            body: `Final-Recipient: rfc822;${contact.sender}\nDisposition: manual-action/MDN-sent-manually; displayed\n`,
          },
        ]),
      ),
      expected: {
        as: 'auto',
        on: 'contact',
        written: 'Your message was read.',
        attachments: ['message/disposition-notification'],
      },
    },
    ...(
      [
        ['a list by its id', [['List-Id', '<dev.lists.test>']]],
        [
          'a newsletter',
          [
            ['List-Id', 'News'],
            ['List-Unsubscribe', '<https://lists.test/u>'],
          ],
        ],
        ['a list by its precedence', [['Precedence', 'list']]],
        ['a notice of a program', [['Auto-Submitted', 'auto-generated']]],
        ['bulk mail', [['Precedence', 'Bulk']]],
      ] as [string, Header[]][]
    ).map(
      ([name, own], index): CorpusMail => ({
        name,
        raw: mailOf(
          [...strangerHeaders(`list${index}@strangers.test`, domain), ...own],
          plain(`Digest number ${index}.`),
        ),
        expected: { as: 'auto', on: 'new', written: `Digest number ${index}.`, spam: ['auto'] },
      }),
    ),
    {
      name: 'our own acknowledgement, sent back',
      raw: mailOf(
        [
          ['From', 'Agency <no-reply@fledge.test>'],
          ['To', `hello@${domain}`],
          ['Auto-Submitted', 'auto-replied'],
          ['Subject', 'We have your message | Agency'],
        ],
        plain('Thank you for writing.'),
      ),
      expected: { as: 'auto', on: 'new', written: 'Thank you for writing.', spam: ['auto'] },
    },
  ]
}

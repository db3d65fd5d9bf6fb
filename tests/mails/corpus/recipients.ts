import { file, type Header, html, multipart, plain, rawMail } from '../compose.ts'
import {
  type CorpusMail,
  type Expected,
  headers,
  mailOf,
  type Place,
  type RecordName,
  strangerHeaders,
} from './corpus.ts'

/** To whom mails are sent, and from whom they come. */
export const recipients = (place: Place): CorpusMail[] => {
  const { consultation, application, contact, domain } = place
  let count = 0
  const sent = (
    name: string,
    on: RecordName | 'new',
    own: readonly Header[],
    changes: Partial<Expected> = {},
  ): CorpusMail => {
    count += 1
    const written = `This is about my appointment number ${count}.`
    return {
      name,
      raw: mailOf([['Subject', 'Re: your message'], ...own], plain(written)),
      expected: { as: on === 'new' ? 'contact' : 'reply', on, written, ...changes },
    }
  }
  const by = (who: { sender: string }): Header => ['From', who.sender]
  const stranger: Header = ['From', 'Max <max@strangers.test>']
  return [
    sent('the bare address in To', 'consultation', [
      by(consultation),
      ['To', consultation.replyAddress],
    ]),
    sent('the address in Cc', 'application', [
      by(application),
      ['To', `hello@${domain}`],
      ['Cc', `Agency <${application.replyAddress}>`],
    ]),
    sent('the address in Delivered-To alone', 'contact', [
      by(contact),
      ['Delivered-To', contact.replyAddress],
      ['To', 'undisclosed-recipients:;'],
    ]),
    sent('the address in X-Original-To alone', 'consultation', [
      by(consultation),
      ['X-Original-To', consultation.replyAddress],
      ['Delivered-To', 'inbox@mailserver.test'],
      ['To', 'alias@elsewhere.test'],
    ]),
    sent('the address in upper case', 'application', [
      by(application),
      ['To', application.replyAddress.toUpperCase()],
    ]),
    sent('the address among several', 'contact', [
      by(contact),
      ['To', `Ann <ann@people.test>, ${contact.replyAddress}, "Bob, B." <bob@people.test>`],
    ]),
    sent('the address in a group', 'consultation', [
      by(consultation),
      ['To', `Agency: ann@people.test, ${consultation.replyAddress};`],
    ]),
    sent('the address in a folded header', 'application', [
      by(application),
      ['To', `"A very long name that needs a line of its own"\r\n\t<${application.replyAddress}>`],
    ]),
    sent('the address at another domain of ours', 'contact', [
      by(contact),
      ['To', contact.replyAddress.replace(/@.*/, '@alias.fledge.test')],
    ]),
    sent('two addresses of ours: the first counts', 'consultation', [
      by(consultation),
      ['To', consultation.replyAddress],
      ['Cc', application.replyAddress],
    ]),
    sent('the address before the mail that is answered', 'application', [
      by(application),
      ['To', application.replyAddress],
      ['In-Reply-To', contact.messageId],
    ]),
    sent('no token, the answered mail alone', 'contact', [
      by(contact),
      ['To', `no-reply@${domain}`],
      ['In-Reply-To', contact.messageId],
    ]),
    sent('no token, the answered mail among references', 'consultation', [
      by(consultation),
      ['To', `no-reply@${domain}`],
      ['In-Reply-To', '<unknown@people.test>'],
      ['References', `<first@people.test>\r\n ${consultation.messageId} <last@people.test>`],
    ]),
    sent('the nearest of two answered mails', 'application', [
      by(application),
      ['To', `no-reply@${domain}`],
      ['References', `${contact.messageId} ${application.messageId}`],
    ]),
    sent('a forged token, and the answered mail', 'contact', [
      by(contact),
      ['To', `reply+${'a'.repeat(32)}@${domain}`],
      ['In-Reply-To', contact.messageId],
    ]),
    sent(
      'a forged token alone',
      'new',
      [
        ['From', 'Forger <forger1@strangers.test>'],
        ['To', `reply+${'b'.repeat(32)}@${domain}`],
      ],
      { name: 'Forger', email: 'forger1@strangers.test', subject: 'Re: your message' },
    ),
    sent(
      'a token that is too short',
      'new',
      [
        ['From', 'Forger <forger2@strangers.test>'],
        ['To', consultation.replyAddress.replace(/.@/, '@')],
      ],
      { name: 'Forger' },
    ),
    sent(
      'a token that staff have ended',
      'new',
      [
        ['From', 'Late <late@strangers.test>'],
        ['To', place.ended],
      ],
      { name: 'Late' },
    ),
    sent(
      'an address with a plus of its own',
      'new',
      [
        ['From', 'Plus <plus+tag@strangers.test>'],
        ['To', `hello+news@${domain}`],
      ],
      { name: 'Plus', email: 'plus+tag@strangers.test' },
    ),
    sent(
      'a subject that names a record goes nowhere by it',
      'new',
      [
        ['From', 'Subject <subject@strangers.test>'],
        ['To', `hello@${domain}`],
        ['Subject', `Re: We have your message ${consultation.messageId} reply`],
      ],
      { name: 'Subject', subject: `Re: We have your message ${consultation.messageId} reply` },
    ),
    sent(
      'the answered mail of somebody else’s system',
      'new',
      [
        ['From', 'Other <other@strangers.test>'],
        ['To', `hello@${domain}`],
        ['In-Reply-To', '<01900000-0000-7000-8000-000000000000@record>'],
      ],
      { name: 'Other' },
    ),
    sent('from another address', 'consultation', [stranger, ['To', consultation.replyAddress]], {
      from: 'max@strangers.test',
    }),
    sent(
      'from another address, by the answered mail',
      'application',
      [stranger, ['To', `no-reply@${domain}`], ['In-Reply-To', application.messageId]],
      { from: 'max@strangers.test' },
    ),
    sent(
      'from another record’s sender',
      'contact',
      [by(application), ['To', contact.replyAddress]],
      {
        from: application.sender,
      },
    ),
    sent('from the same address in other case', 'consultation', [
      ['From', consultation.sender.toUpperCase()],
      ['To', consultation.replyAddress],
    ]),
    sent(
      'from the same address with a tag',
      'application',
      [
        ['From', application.sender.replace('@', '+tag@')],
        ['To', application.replyAddress],
      ],
      { from: application.sender.replace('@', '+tag@') },
    ),
    sent('a Reply-To of another address does not count', 'contact', [
      by(contact),
      ['Reply-To', 'else@strangers.test'],
      ['To', contact.replyAddress],
    ]),
    {
      name: 'forwarded below a note',
      raw: mailOf(
        [by(consultation), ['To', consultation.replyAddress], ['Subject', 'Fwd: Offer']],
        plain(
          'See below.\n\n---------- Forwarded message ---------\nFrom: Ann <ann@people.test>\nSubject: Offer\n\nThe offer.',
        ),
      ),
      expected: { as: 'reply', on: 'consultation', written: 'See below.', quoted: 'The offer.' },
    },
    {
      name: 'forwarded without a word',
      raw: mailOf(
        [by(application), ['To', application.replyAddress], ['Subject', 'Fwd: Offer']],
        plain(
          '---------- Forwarded message ---------\nFrom: Ann <ann@people.test>\nSubject: Offer\n\nThe offer.',
        ),
      ),
      expected: {
        as: 'reply',
        on: 'application',
        written:
          '---------- Forwarded message ---------\nFrom: Ann <ann@people.test>\nSubject: Offer\n\nThe offer.',
      },
    },
    {
      name: 'forwarded as an attachment',
      raw: mailOf(
        [by(contact), ['To', contact.replyAddress], ['Subject', 'Fwd: Offer']],
        multipart('mixed', [
          plain('See the attached mail.'),
          {
            type: 'message/rfc822',
            body: rawMail(
              [
                ['From', 'Ann <ann@people.test>'],
                ['To', consultation.replyAddress],
                ['Date', 'no date at all'],
                ['Subject', 'Offer'],
                ['List-Id', '<news.people.test>'],
              ],
              'The offer.',
            ),
          },
        ]),
      ),
      expected: {
        as: 'reply',
        on: 'contact',
        written: 'See the attached mail.',
        quoted: 'The offer.',
      },
    },
    {
      name: 'forwarded HTML',
      raw: mailOf(
        [...strangerHeaders('forwards@strangers.test', domain), ['Subject', 'Fwd: Offer']],
        html(
          '<p>FYI</p><div class="gmail_quote">---------- Forwarded message ---------<br>From: <b>Ann</b> &lt;ann@people.test&gt;<br>Date: Fri, 20 Nov 2026<br>Subject: Offer<br><br>The offer.</div>',
        ),
      ),
      expected: { as: 'contact', on: 'new', written: 'FYI', quoted: 'The offer.' },
    },
    {
      name: 'forwarded with the file it had',
      raw: rawMail(
        headers([
          by(consultation),
          ['To', consultation.replyAddress],
          ['Subject', 'Fwd: Plan'],
          ['Content-Type', 'multipart/mixed; boundary="outer"'],
        ]),
        Buffer.concat([
          Buffer.from('--outer\r\nContent-Type: text/plain\r\n\r\nAs discussed.\r\n--outer\r\n'),
          rawMail(
            [
              ['Content-Type', file('plan.pdf', 'application/pdf', '').type ?? ''],
              ['Content-Disposition', 'attachment; filename="plan.pdf"'],
              ['Content-Transfer-Encoding', 'base64'],
            ],
            Buffer.alloc(1_234).toString('base64'),
          ),
          Buffer.from('\r\n--outer--\r\n'),
        ]),
      ),
      expected: {
        as: 'reply',
        on: 'consultation',
        written: 'As discussed.',
        attachments: ['plan.pdf, 1 kB'],
      },
    },
  ]
}

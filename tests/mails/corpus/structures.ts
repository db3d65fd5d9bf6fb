import { base64, file, html, multipart, type Part, plain, rawMail } from '../compose.ts'
import {
  type CorpusMail,
  type Expected,
  headers,
  mailOf,
  type Place,
  records,
  replyHeaders,
  strangerHeaders,
} from './corpus.ts'

const MIB = 1_048_576

/** How mails are put together, also wrongly. */
export const structures = (place: Place): CorpusMail[] => {
  const { consultation, domain } = place
  let index = 0
  const reply = (
    name: string,
    part: Part,
    written: string,
    changes: Partial<Expected> = {},
    finish = (raw: Buffer): Buffer => raw,
  ): CorpusMail => {
    index += 1
    const on = records[index % records.length] ?? 'contact'
    const raw = finish(mailOf(replyHeaders(place[on]), part))
    return { name, raw, expected: { as: 'reply', on, written, ...changes } }
  }
  const nested = (depth: number, part: Part): Part =>
    depth === 0 ? part : multipart('mixed', [nested(depth - 1, part)])
  const replaced = (from: string, to: string) => (raw: Buffer) =>
    Buffer.from(raw.toString('latin1').replaceAll(from, to), 'latin1')
  const pdf = file('plan.pdf', 'application/pdf', Buffer.alloc(2_345, 1))
  const full = multipart('mixed', [
    multipart('alternative', [
      plain('In words.'),
      multipart('related', [
        html('<p>In words.</p><img src="cid:logo">'),
        {
          ...file('logo.png', 'image/png', Buffer.alloc(700, 2)),
          headers: [['Content-ID', '<logo>'], ...(base64('').headers ?? [])],
        },
      ]),
    ]),
    pdf,
  ])
  const cut = multipart('mixed', [plain('The beginning of a mail that was cut off.'), pdf])
  return [
    reply('text, HTML, picture and file', full, 'In words.', {
      attachments: ['logo.png, 700 B', 'plan.pdf, 2 kB'],
    }),
    reply('a file alone', pdf, '(no text)', { attachments: ['plan.pdf, 2 kB'] }),
    reply(
      'files of all sizes',
      multipart('mixed', [
        plain('Four files.'),
        file('empty.txt', 'text/plain', ''),
        file('small.txt', 'text/plain', 'x'),
        file('notes.csv', 'text/csv', 'a;b\n'.repeat(500)),
        file('photo.jpg', 'image/jpeg', Buffer.alloc(1_500_000, 3)),
      ]),
      'Four files.',
      { attachments: ['small.txt, 1 B', 'notes.csv, 2 kB', 'photo.jpg, 1.5 MB'] },
    ),
    reply(
      'a file’s name in another character set',
      multipart('mixed', [
        plain('With a file.'),
        {
          type: 'application/pdf',
          headers: [
            [
              'Content-Disposition',
              'attachment; filename*0*=UTF-8\'\'Gr%C3%B6%C3%9Fe;\r\n filename*1="1.pdf"',
            ],
            ...(base64('').headers ?? []),
          ],
          body: 'AAAA',
        },
      ]),
      'With a file.',
      { attachments: ['Größe1.pdf, 3 B'] },
    ),
    reply(
      'a file whose name breaks lines',
      multipart('mixed', [
        plain('With a file.'),
        file('a\u0007b\u202ec.exe', 'application/x-msdownload', 'MZ'),
      ]),
      'With a file.',
      { attachments: ['abc.exe, 2 B'] },
    ),
    reply(
      'an invitation',
      multipart('alternative', [
        plain('Meeting on Tuesday.'),
        html('<p>Meeting on Tuesday.</p>'),
        {
          type: 'text/calendar; method=REQUEST; name="invite.ics"',
          body: 'BEGIN:VCALENDAR\nEND:VCALENDAR',
        },
      ]),
      'Meeting on Tuesday.',
      { attachments: ['invite.ics, 30 B'] },
    ),
    reply(
      'a signed mail',
      multipart('signed; protocol="application/pgp-signature"', [
        plain('Signed.'),
        {
          type: 'application/pgp-signature; name="signature.asc"',
          body: '-----BEGIN PGP SIGNATURE-----',
        },
      ]),
      'Signed.',
      { attachments: ['signature.asc, 30 B'] },
    ),
    reply(
      'an encrypted mail',
      multipart('encrypted', [
        { type: 'application/pgp-encrypted', body: 'Version: 1' },
        {
          type: 'application/octet-stream; name="encrypted.asc"',
          body: '-----BEGIN PGP MESSAGE-----',
        },
      ]),
      '(no text)',
      { attachments: ['application/pgp-encrypted, 11 B', 'encrypted.asc, 28 B'] },
    ),
    reply(
      'two texts',
      multipart('mixed', [plain('Before.'), pdf, plain('After.')]),
      'Before.\n\nAfter.',
      {
        attachments: ['plan.pdf, 2 kB'],
      },
    ),
    reply(
      'text and HTML one after the other',
      multipart('mixed', [plain('Text.'), html('<p>HTML.</p>')]),
      'Text.\n\nHTML.',
    ),
    reply('ten parts deep', nested(10, plain('Deep.')), 'Deep.'),
    reply('sixty parts deep', nested(60, plain('Very deep.')), 'Very deep.'),
    reply(
      'parts without a type',
      multipart('mixed', [{ body: 'Plain by default.' }]),
      'Plain by default.',
    ),
    reply(
      'an empty multipart',
      { ...plain('Not in parts.'), type: 'multipart/mixed; boundary="never"' },
      'Not in parts.',
    ),
    reply(
      'a multipart without a boundary',
      { type: 'multipart/alternative', body: 'No boundary.' },
      'No boundary.',
    ),
    reply(
      'text before and after the parts',
      multipart('mixed', [plain('Between.')]),
      'Between.',
      {},
      (raw) => Buffer.concat([raw, Buffer.from('An epilogue that nobody sees.')]),
    ),
    reply('line feeds alone', plain('Line\nfeeds'), 'Line\nfeeds', {}, replaced('\r\n', '\n')),
    reply(
      'carriage returns alone',
      plain('Carriage\nreturns'),
      'Carriage\nreturns',
      {},
      replaced('\r\n', '\r'),
    ),
    reply('the line of a mailbox before it', plain('From a pipe.'), 'From a pipe.', {}, (raw) =>
      Buffer.concat([Buffer.from('From zoe@people.test  Fri Nov 20 10:12:00 2026\n'), raw]),
    ),
    reply('empty lines before it', plain('After empty lines.'), 'After empty lines.', {}, (raw) =>
      Buffer.concat([Buffer.from('\r\n\r\n'), raw]),
    ),
    reply('a byte order mark before it', plain('After a mark.'), 'After a mark.', {}, (raw) =>
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), raw]),
    ),
    reply(
      'a header without a colon',
      plain('A broken header.'),
      'A broken header.',
      {},
      replaced('MIME-Version: 1.0', 'This is no header'),
    ),
    reply('spaces before colons', plain('Old syntax.'), 'Old syntax.', {}, (raw) =>
      Buffer.from(raw.toString('latin1').replace(/^(From|To|In-Reply-To):/gm, '$1 :'), 'latin1'),
    ),
    reply('a header of 300 KB', plain('A large header.'), 'A large header.', {}, (raw) =>
      Buffer.concat([Buffer.from(`X-Large: ${'x'.repeat(300_000)}\r\n`), raw]),
    ),
    reply('two thousand recipients', plain('To everybody.'), 'To everybody.', {}, (raw) =>
      Buffer.concat([
        Buffer.from(
          `Cc: ${Array.from({ length: 2_000 }, (_, n) => `p${n}@people.test`).join(',\r\n ')}\r\n`,
        ),
        raw,
      ]),
    ),
    reply(
      'two thousand empty parts',
      {
        type: 'multipart/mixed; boundary="b"',
        body: `Too many parts.\n${'--b\n\n'.repeat(2_000)}`,
      },
      `Too many parts.\n${'--b\n\n'.repeat(2_000)}`.trim(),
    ),
    ...[0.2, 0.35, 0.5, 0.65, 0.8, 0.95].map(
      (share): CorpusMail => ({
        name: `cut off after ${share * 100} % of its file`,
        raw: mailOf(replyHeaders(consultation), cut).subarray(0, Math.round((share - 1) * 3_000)),
        expected: {
          as: 'reply',
          on: 'consultation',
          written: 'The beginning of a mail that was cut off.',
          attachments: ['plan.pdf'],
        },
      }),
    ),
    {
      name: 'cut off within a character',
      raw: mailOf(replyHeaders(consultation), plain('Grüße')).subarray(0, -2),
      expected: { as: 'reply', on: 'consultation', written: 'Grü' },
    },
    {
      name: 'cut off within the headers',
      raw: rawMail(headers(replyHeaders(consultation)), '').subarray(0, -20),
      expected: { as: 'reply', on: 'consultation', written: '(no text)' },
    },
    {
      name: 'no Message-ID',
      raw: rawMail(replyHeaders(consultation), 'Without an id.'),
      expected: { as: 'reply', on: 'consultation', written: 'Without an id.' },
    },
    {
      name: 'two Message-IDs',
      raw: mailOf(
        [
          ...replyHeaders(consultation),
          ['Message-ID', '<first@people.test>'],
          ['Message-ID', '<second@people.test>'],
        ],
        plain('Twice an id.'),
      ),
      expected: { as: 'reply', on: 'consultation', written: 'Twice an id.' },
    },
    {
      name: 'a Message-ID without brackets',
      raw: mailOf(
        [...replyHeaders(consultation), ['Message-ID', 'no brackets']],
        plain('A strange id.'),
      ),
      expected: { as: 'reply', on: 'consultation', written: 'A strange id.' },
    },
    {
      name: 'another mail under the same Message-ID',
      raw: mailOf(
        [...replyHeaders(consultation), ['Message-ID', '<first@people.test>']],
        plain('Another text.'),
      ),
      expected: { as: 'reply', on: 'consultation', written: 'Another text.' },
    },
    {
      name: 'the same Message-ID of another sender',
      raw: mailOf(
        [...strangerHeaders('same@strangers.test', domain), ['Message-ID', '<first@people.test>']],
        plain('Another sender.'),
      ),
      expected: { as: 'contact', on: 'new', written: 'Another sender.' },
    },
    reply(
      'just under 4 MiB',
      multipart('mixed', [
        plain('A large file.'),
        file('film.mp4', 'video/mp4', Buffer.alloc(2.8 * MIB, 5)),
      ]),
      'A large file.',
      { attachments: ['film.mp4, 2.9 MB'] },
    ),
    {
      name: '5 MiB to the byte',
      raw: (() => {
        const head = mailOf(replyHeaders(consultation), plain(''))
        return Buffer.concat([head, Buffer.alloc(5 * MIB - head.length, 'All work and no play. ')])
      })(),
      expected: {
        as: 'reply',
        on: 'consultation',
        written: `${'All work and no play. '.repeat(2_273).slice(0, 50_000).trim()}\n\n[Cut here: the mail was longer.]`,
      },
    },
  ]
}

import { html, multipart, type Part, plain } from '../compose.ts'
import { type CorpusMail, mailOf, type Place, records, replyHeaders } from './corpus.ts'

const ANSWER = 'Tuesday at ten suits me.\n\nUntil then!'
const SENT = 'Thank you for writing.\nYour reference is 0a1b2c3d.'
const marked = (text: string): string => text.replace(/^/gm, '> ')

/** What programs write before a quotation. */
const introductions: Record<string, string> = {
  English: 'On Fri, 20 Nov 2026 at 10:12, Agency <no-reply@fledge.test> wrote:',
  German: 'Am 20.11.2026 um 10:12 schrieb Agency <no-reply@fledge.test>:',
  French: 'Le ven. 20 nov. 2026 à 10:12, Agency <no-reply@fledge.test> a écrit :',
  Spanish: 'El vie, 20 nov 2026 a las 10:12, Agency (<no-reply@fledge.test>) escribió:',
  Italian: 'Il giorno ven 20 nov 2026 alle ore 10:12 Agency <no-reply@fledge.test> ha scritto:',
  Dutch: 'Op vr 20 nov 2026 om 10:12 schreef Agency <no-reply@fledge.test>:',
  Portuguese: 'Em sex., 20 de nov. de 2026 às 10:12, Agency <no-reply@fledge.test> escreveu:',
  Danish: 'Den fre. 20. nov. 2026 kl. 10.12 skrev Agency <no-reply@fledge.test>:',
  Polish: 'Dnia 20 listopada 2026 10:12 Agency <no-reply@fledge.test> napisał(a):',
  Czech: 'Dne pá 20. 11. 2026 10:12 Agency <no-reply@fledge.test> napsal(a):',
  Russian: 'пт, 20 нояб. 2026 г. в 10:12, Agency <no-reply@fledge.test>:',
  Japanese: '2026年11月20日(金) 10:12 Agency <no-reply@fledge.test>:',
  Chinese: 'Agency <no-reply@fledge.test> 于2026年11月20日周五 10:12写道：',
  Korean: '2026년 11월 20일 (금) 오전 10:12, Agency <no-reply@fledge.test>님이 작성:',
  Turkish: 'Agency <no-reply@fledge.test>, 20 Kas 2026 Cum, 10:12 tarihinde şunu yazdı:',
  Arabic:
    'في الجمعة، 20 نوفمبر 2026 في 10:12 ص تمت كتابة ما يلي بواسطة Agency <no-reply@fledge.test>:',
}

/** The header of an earlier mail as Outlook writes it, in the languages that it speaks. */
const outlookHeaders: Record<string, string> = {
  English:
    'From: Agency <no-reply@fledge.test>\nSent: Friday, November 20, 2026 10:12 AM\nTo: Zoe Baker\nSubject: We have your message',
  German:
    'Von: Agency <no-reply@fledge.test>\nGesendet: Freitag, 20. November 2026 10:12\nAn: Zoe Baker\nBetreff: We have your message',
  French:
    'De : Agency <no-reply@fledge.test>\nEnvoyé : vendredi 20 novembre 2026 10:12\nÀ : Zoe Baker\nObjet : We have your message',
  Spanish:
    'De: Agency <no-reply@fledge.test>\nEnviado: viernes, 20 de noviembre de 2026 10:12\nPara: Zoe Baker\nAsunto: We have your message',
  Italian:
    'Da: Agency <no-reply@fledge.test>\nInviato: venerdì 20 novembre 2026 10:12\nA: Zoe Baker\nOggetto: We have your message',
  Dutch:
    'Van: Agency <no-reply@fledge.test>\nVerzonden: vrijdag 20 november 2026 10:12\nAan: Zoe Baker\nOnderwerp: We have your message',
  Swedish:
    'Från: Agency <no-reply@fledge.test>\nSkickat: den 20 november 2026 10:12\nTill: Zoe Baker\nÄmne: We have your message',
  Russian:
    'От: Agency <no-reply@fledge.test>\nОтправлено: 20 ноября 2026 г. 10:12\nКому: Zoe Baker\nТема: We have your message',
  Chinese:
    '发件人: Agency <no-reply@fledge.test>\n发送时间: 2026年11月20日 10:12\n收件人: Zoe Baker\n主题: We have your message',
}

const dividers = [
  '-----Original Message-----',
  '-----Ursprüngliche Nachricht-----',
  '----- Message d’origine -----',
  '-----Oprindelig meddelelse-----',
]

const paragraphs = (text: string): string => `<p>${text.replaceAll('\n\n', '</p><p>')}</p>`

/** How programs mark the quotation in HTML. */
const htmlQuotations: Record<string, string> = {
  Gmail: `<div dir="ltr">${paragraphs(ANSWER)}</div><br><div class="gmail_quote"><div class="gmail_attr">On Fri, 20 Nov 2026 at 10:12, Agency &lt;<a href="mailto:no-reply@fledge.test">no-reply@fledge.test</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0"><div>Thank you for writing.</div></blockquote></div>`,
  Apple: `<body>${paragraphs(ANSWER)}<br><blockquote type="cite"><div>On 20. Nov 2026, at 10:12, Agency wrote:</div><br><div>Thank you for writing.</div></blockquote></body>`,
  Thunderbird: `<body>${paragraphs(ANSWER)}<div class="moz-cite-prefix">On 20/11/2026 10:12, Agency wrote:<br></div><blockquote type="cite" cite="mid:1@record"><p>Thank you for writing.</p></blockquote></body>`,
  Outlook: `<html><head><style>p {margin:0}</style></head><body>${paragraphs(ANSWER)}<div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Agency &lt;no-reply@fledge.test&gt;<br><b>Sent:</b> Friday, November 20, 2026 10:12 AM<br><b>To:</b> Zoe Baker<br><b>Subject:</b> We have your message</div><p>Thank you for writing.</p></body></html>`,
  Word: `<html xmlns:o="urn:schemas-microsoft-com:office:office"><body lang="EN-GB"><div class="WordSection1"><p class="MsoNormal">Tuesday at ten suits me.<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><p class="MsoNormal">Until then!</p><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>From:</b> Agency &lt;no-reply@fledge.test&gt; <br><b>Sent:</b> 20 November 2026 10:12<br><b>To:</b> Zoe Baker<br><b>Subject:</b> We have your message</p></div><p>Thank you for writing.</p></div></body></html>`,
  Yahoo: `<div class="yahoo-style-wrap">${paragraphs(ANSWER)}</div><div id="ydp1yahoo_quoted" class="yahoo_quoted"><div>On Friday, November 20, 2026 at 10:12:00 AM GMT+1, Agency &lt;no-reply@fledge.test&gt; wrote:</div><div>Thank you for writing.</div></div>`,
  Proton: `${paragraphs(ANSWER)}<div class="protonmail_quote">On Friday, 20 November 2026 at 10:12, Agency &lt;no-reply@fledge.test&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">Thank you for writing.</blockquote></div>`,
  phone: `${paragraphs(ANSWER)}<div>Sent from my phone</div><blockquote><div>Thank you for writing.</div></blockquote>`,
}

export const replies = (place: Place): CorpusMail[] => {
  const to = (
    name: string,
    index: number,
    part: Part,
    written: string,
    quoted?: string,
  ): CorpusMail => {
    const record = records[index % records.length] ?? 'contact'
    const raw = mailOf(replyHeaders(place[record]), part)
    const expected = { as: 'reply', on: record, written } as const
    return { name, raw, expected: quoted === undefined ? expected : { ...expected, quoted } }
  }
  const introduced = Object.entries(introductions)
  return [
    ...introduced.map(([language, introduction], index) =>
      to(
        `above the quotation, ${language}`,
        index,
        plain(`${ANSWER}\n\n${introduction}\n\n${marked(SENT)}\n`),
        ANSWER,
        'Thank you',
      ),
    ),
    ...introduced.map(([language, introduction], index) =>
      to(
        `below the quotation, ${language}`,
        index,
        plain(`${introduction}\n${marked(SENT)}\n\n${ANSWER}\n`),
        ANSWER,
        introduction,
      ),
    ),
    ...Object.entries(outlookHeaders).map(([language, header], index) =>
      to(
        `above the header of the earlier mail, ${language}`,
        index,
        plain(`${ANSWER}\n\n________________________________\n${header}\n\n${SENT}`),
        ANSWER,
        'Thank you',
      ),
    ),
    ...dividers.map((divider, index) =>
      to(`above ${divider}`, index, plain(`${ANSWER}\n\n${divider}\n${SENT}`), ANSWER, 'Thank you'),
    ),
    ...Object.entries(htmlQuotations).map(([program, page], index) =>
      to(
        `HTML only, ${program}`,
        index,
        html(page),
        program === 'phone' ? `${ANSWER}\n\nSent from my phone` : ANSWER,
        'Thank you',
      ),
    ),
    ...Object.entries(htmlQuotations).map(([program, page], index) =>
      to(
        `text and HTML, ${program}`,
        index,
        multipart('alternative', [plain(`${ANSWER}\n\n${marked(SENT)}`), html(page)]),
        ANSWER,
        'Thank you',
      ),
    ),
    to(
      'between the lines of the quotation',
      0,
      plain('> Which day suits you?\n\nTuesday.\n\n> Which time?\n\nTen.\n'),
      'Tuesday.\n\nTen.',
      'Which time?',
    ),
    to('without a quotation', 1, plain('Yes, gladly.\n\n-- \nZoe'), 'Yes, gladly.\n\n-- \nZoe'),
    to(
      'a quotation of a quotation',
      2,
      plain('Yes.\n\n> No?\n>> Yes?\n> > Maybe?'),
      'Yes.',
      'Maybe?',
    ),
    to(
      'without marks under an introduction',
      0,
      plain(`${ANSWER}\n\n${introductions.English}\n\n${SENT}`),
      ANSWER,
      'Thank you',
    ),
    to(
      'without marks under an indented introduction, Yahoo',
      2,
      plain(
        `${ANSWER}\n\n    On Friday, November 20, 2026 at 10:12:00 AM GMT+1, Agency <no-reply@fledge.test> wrote:  \n \n Thank you for writing.\n   `,
      ),
      ANSWER,
      'Thank you',
    ),
    to(
      'lines that only look like headers are the sender’s own',
      1,
      plain('My data:\n\nName: Zoe Baker\nPhone: 030 1234567\nMail: zoe@people.test'),
      'My data:\n\nName: Zoe Baker\nPhone: 030 1234567\nMail: zoe@people.test',
    ),
    to('arrows within a line', 2, plain('a -> b\n3 > 2'), 'a -> b\n3 > 2'),
    to(
      'wrapped paragraphs (format=flowed)',
      0,
      {
        type: 'text/plain; charset=utf-8; format=flowed; delsp=no',
        body: 'This paragraph is \nwrapped.\n\nThis one is not.\n\n> And this quotation \n> is wrapped.\n-- \nZoe',
      },
      'This paragraph is wrapped.\n\nThis one is not.\n\n-- \nZoe',
      '> And this quotation is wrapped.',
    ),
    to(
      'wrapped words (format=flowed; delsp=yes)',
      1,
      {
        type: 'text/plain; charset=utf-8; format=flowed; delsp=yes',
        body: 'unbroken \nword\n\nend',
      },
      'unbrokenword\n\nend',
    ),
  ]
}

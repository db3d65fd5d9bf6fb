import { expect } from 'vitest'
import { testOnAll } from '#server/db/testing.ts'
import { type Json, staff } from '#server/inbox/testing.ts'
import { leaveNow, sendDue, submitAndOpen } from '#server/status-page/testing.ts'
import { test, testApi, testConfig } from '#server/testing.ts'
import { host, inDays } from '#server/times/testing.ts'
import { file, multipart, plain, rawMail } from '#tests/mails/compose.ts'
import { send } from './testing.ts'

const inboundSecret = 'known to the mail server alone'

interface Reply {
  from: string
  state: string
  uid: string
  sequence?: number
  attendee?: string
  asFile?: boolean
}

let mails = 0

/** An answer as calendar programs mail it to the organizer. */
const reply = ({ from, state, uid, sequence = 0, attendee = from, asFile = false }: Reply) => {
  mails += 1
  const calendar = [
    'BEGIN:VCALENDAR',
    'METHOD:REPLY',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `ATTENDEE;CN="Baker; PARTSTAT=NEEDS-ACTION: W";PARTSTAT=${state};`,
    ` ROLE=REQ-PARTICIPANT:MAILTO:${attendee.toUpperCase()}`,
    `SEQUENCE:${sequence}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\n')
  const part = asFile
    ? file('invite.ics', 'application/ics', calendar)
    : { type: 'text/calendar; charset=utf-8; method=REPLY', body: calendar }
  const { type, body } = multipart('alternative', [plain('Wanda answered.'), part])
  return rawMail(
    [
      ['From', `Wanda <${from}>`],
      ['To', 'hello@fledge.test'],
      ['Subject', `${state}: Talk`],
      ['Message-ID', `<answer-${mails}@people.test>`],
      ['MIME-Version', '1.0'],
      ['Content-Type', type],
    ],
    body,
  )
}

testOnAll('an answer by calendar mail is shown at the appointment', async ({ db }) => {
  const mail = { ...testConfig.mail, inboundSecret, authServer: undefined }
  const api = testApi(db, { config: { ...testConfig, mail } })
  await staff(api, 'superuser')
  const eli = await host(api)
  const sender = await submitAndOpen(api)
  const path = `/api/consultations/${sender.id}`
  await eli.post(`${path}/times`, { slots: [inDays(3), inDays(4)] })
  await leaveNow(api)
  await sender.post('/times', { start: inDays(3) })
  const [invitation] = await sendDue(api)
  const uid = /UID:(.*)\r/.exec(invitation?.invite?.text ?? '')?.[1] ?? ''
  const record = async (): Promise<Json> => (await eli.get(path)).body.data
  const { email: from } = await record()
  const answered = async (given: Partial<Reply> & { state: string }) => {
    const response = await send(api, reply({ from, uid, ...given }))
    return ((await response.json()) as Json).data
  }
  const shown = async () => (await record()).appointment.answer

  const placed = { kind: 'consultations', _id: sender.id, as: 'auto' }
  expect(await answered({ state: 'ACCEPTED' })).toEqual(placed)
  expect(await shown()).toBe('accepted')
  expect((await sender.get('/times')).body.data.appointment.answer).toBe('accepted')
  expect((await record()).activity.at(-1)).toMatchObject({ kind: 'auto', attendance: 'accepted' })
  await answered({ state: 'TENTATIVE', asFile: true })
  expect(await shown()).toBe('tentative')
  // Nobody else answers for the sender, and a state without a word is none.
  expect(await answered({ state: 'DECLINED', from: 'eve@people.test' })).toEqual(placed)
  await answered({ state: 'NEEDS-ACTION' })
  expect(await shown()).toBe('tentative')
  // An answer to the time before the move says nothing about this one.
  await sender.post('/times', { start: inDays(4) })
  expect(await shown()).toBeNull()
  await answered({ state: 'DECLINED' })
  expect(await shown()).toBeNull()
  await answered({ state: 'DECLINED', sequence: 1 })
  expect(await shown()).toBe('declined')
  // The clock does not start, and an unknown appointment is no record.
  expect(await record()).toMatchObject({ waitingFor: 'them' })
  const unknown = await answered({ state: 'ACCEPTED', uid: `${crypto.randomUUID()}@record` })
  expect(unknown).toMatchObject({ kind: 'contacts', as: 'auto' })
})

test('an answer that the mail server does not confirm is kept and not shown', async ({ db }) => {
  const mail = { ...testConfig.mail, inboundSecret, authServer: 'mx.fledge.test' }
  const api = testApi(db, { config: { ...testConfig, mail } })
  await staff(api, 'superuser')
  const eli = await host(api)
  const sender = await submitAndOpen(api)
  const path = `/api/consultations/${sender.id}`
  await eli.post(`${path}/times`, { slots: [inDays(3)] })
  await leaveNow(api)
  await sender.post('/times', { start: inDays(3) })
  const record = async (): Promise<Json> => (await eli.get(path)).body.data
  const { email: from, appointment } = await record()
  const answer = reply({ from, state: 'ACCEPTED', uid: `${appointment._id}@record` })
  await send(api, answer)
  expect(await record()).toMatchObject({ appointment: { answer: null } })
  const confirmed = Buffer.concat([
    Buffer.from('Authentication-Results: mx.fledge.test; dmarc=pass header.from=people.test\r\n'),
    Buffer.from(answer.toString().replace('answer-', 'confirmed-')),
  ])
  await send(api, confirmed)
  expect((await record()).appointment.answer).toBe('accepted')
})

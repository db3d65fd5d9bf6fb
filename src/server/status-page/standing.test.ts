import { expect, test } from 'vitest'
import { answerTimeOf } from '#contract/positions.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { clock } from './clock.ts'
import { standing } from './standing.ts'
import type { Found } from './store/find.ts'

const received: Found = {
  kind: kindByPath.applications,
  id: '018f0000-0000-7000-8000-000000000000',
  box: 'inbox',
  fields: {},
  status: 'reviewing',
  statusAt: '2026-11-12T09:00:00.000Z',
  createdAt: '2026-11-09T09:00:00.000Z',
  promisedAt: null,
  waitingFor: null,
  seenAt: '2026-11-10T09:00:00.000Z',
  withdrawnAt: null,
  consentAt: null,
  timeZone: null,
  expiresAt: '2028-11-09T09:00:00.000Z',
  expiresUndecidedAt: '2028-11-09T09:00:00.000Z',
  messages: [],
  appointment: null,
  hasTimes: false,
  keepsAccepted: false,
  offers: [],
  older: null,
  isConfirmed: true,
  lastWrittenAt: null,
}

const on = (day: string, found: Found = received) => {
  const { by, isLate, heading, steps } = standing(found, {
    now: new Date(`${day}T23:59:59Z`),
    timeZone: 'UTC',
    answerBy: '2026-11-23',
  })
  return { by, isLate, heading, steps: steps.map(({ text, time }) => [text, time]) }
}

test('an application’s page names the day of the answer until its last second', () => {
  expect(on('2026-11-23')).toMatchObject({
    by: { lead: 'You hear from us either way, by', time: 'Monday 23 November 2026' },
    isLate: false,
  })
  expect(on('2026-11-24')).toMatchObject({
    by: { lead: 'We said by', time: 'Monday 23 November 2026' },
    isLate: true,
  })
  expect(on('2026-11-23').steps.at(-1)?.[0]).toContain('by Monday 23 November 2026')
})

test('a day that was promised for the decision is no promise of 24 hours', () => {
  const owed: Found = { ...received, waitingFor: 'us', promisedAt: answerTimeOf('2026-11-23') }
  for (const day of ['2026-11-23', '2026-11-24']) expect(on(day, owed)).toEqual(on(day))
  const replied = { ...owed, promisedAt: '2026-11-20T09:00:00.000Z' }
  expect(on('2026-11-19', replied).by.lead).toBe('We answer by')
})

test('after the interview the page says that the decision comes next', () => {
  const interviewed: Found = { ...received, status: 'interviewed', waitingFor: 'us' }
  expect(on('2026-11-20', interviewed)).toMatchObject({
    heading: 'We have talked',
    by: { lead: 'The decision comes next, by', time: 'Monday 23 November 2026' },
  })
})

test('the day of the answer is the same before and after a decision that nobody was told', () => {
  const decided = (status: string): Found => ({
    ...received,
    status,
    statusAt: '2026-11-15T09:00:00.000Z',
    expiresAt: '2027-05-15T09:00:00.000Z',
  })
  for (const day of ['2026-11-20', '2026-11-30'])
    for (const status of ['accepted', 'rejected'])
      expect(on(day, decided(status)).by, status).toEqual(on(day).by)
  const told = {
    ...decided('rejected'),
    lastWrittenAt: '2026-11-15T09:00:00.000Z',
    messages: [{ at: '2026-11-15T09:00:00.000Z', from: 'us' as const, text: 'No.' }],
  }
  expect(on('2026-11-30', told)).toMatchObject({ heading: 'We have decided', isLate: false })
  expect(JSON.stringify(on('2026-11-30', told))).not.toContain('23 November')
})

const consultation: Found = {
  ...received,
  kind: kindByPath.consultations,
  status: 'completed',
  statusAt: '2026-11-12T10:00:00.000Z',
  messages: [
    { at: '2026-11-09T10:00:00.000Z', from: 'us', text: 'When?' },
    { at: '2026-11-09T11:00:00.000Z', from: 'us', text: 'And an offer.' },
  ],
}

test('a request with an accepted offer and a talk to come does not say that we have talked', () => {
  const agreed: Found = {
    ...consultation,
    offers: [{ id: 'one', title: 'Shop', state: 'accepted' }],
    appointment: {
      ...({} as NonNullable<Found['appointment']>),
      start: '2026-11-26T10:00:00.000Z',
      state: 'booked',
    },
  }
  const page = on('2026-11-23', agreed)
  expect(page.heading).toBe('We have an agreement')
  expect(page.steps.at(-1)?.[0]).toBe('You accepted our offer.')
  const talk = on('2026-11-23', { ...agreed, offers: [] })
  expect(talk.steps.at(-1)?.[0]).toBe('We talk on Thursday 26 November, 10:00.')
  expect(on('2026-11-27', { ...agreed, offers: [] }).steps.at(-1)?.[0]).toContain('We have talked')
})

test('a request that was answered from the list, and never opened, is not said to wait for a reader', () => {
  const { steps } = on('2026-11-23', { ...consultation, status: 'contacted', seenAt: null })
  expect(steps[1]).toEqual(['A person opened it.', undefined])
})

test('a further message does not move the time of the answer', () => {
  const { by } = on('2026-11-23', { ...consultation, status: 'contacted' })
  expect(by).toEqual({ time: 'Monday 9 November, 10:00', rest: '1 hour after you wrote' })
})

test('a further answer that is owed is not called the first, nor the only one', () => {
  const owed: Found = {
    ...consultation,
    status: 'pending',
    waitingFor: 'us',
    promisedAt: '2026-11-24T10:00:00.000Z',
  }
  const next = 'The answer is below and in your mail. The next one comes by Tue 24 Nov, 10:00.'
  const cancelled = on('2026-11-23', owed)
  expect(cancelled).toMatchObject({
    heading: 'We get back to you',
    by: { lead: 'We answer by', time: 'Tuesday 24 November, 10:00' },
  })
  expect(cancelled.steps[2]?.[0]).toBe(next)
  const reply = { at: '2026-11-23T10:00:00.000Z', from: 'you' as const, text: 'And?' }
  const replied = on('2026-11-23', { ...owed, messages: [...owed.messages, reply] })
  expect(replied.heading).toBe('We have your reply')
  expect(replied.steps[2]?.[0]).toBe(next)
  expect(on('2026-11-23', { ...owed, messages: [] }).heading).toBe('We have your request')
})

const replied: Found = {
  ...consultation,
  status: 'contacted',
  waitingFor: 'them',
  promisedAt: '2026-11-10T09:00:00.000Z',
}

const headOf = (found: Found) => {
  const moment = { now: new Date('2026-11-24T09:00:00Z'), timeZone: 'UTC' }
  const { heading, by, clock: shown } = standing(found, moment)
  const drawn = shown ? String(clock(shown, moment.timeZone)) : ''
  return { heading, by, took: /Answered after (.*?);/.exec(drawn)?.[1] }
}

test('a decision that was promised for a day is measured against no hours', () => {
  const decided: Found = {
    ...received,
    status: 'accepted',
    waitingFor: null,
    promisedAt: answerTimeOf('2026-11-23'),
    lastWrittenAt: '2026-11-15T09:00:00.000Z',
    messages: [{ at: '2026-11-15T09:00:00.000Z', from: 'us', text: 'Yes.' }],
  }
  const page = standing(decided, { now: new Date(), timeZone: 'UTC' })
  expect([page.heading, page.clock]).toEqual(['We have decided', null])
  expect(page.explain).not.toContain('hours')
})

test('an answer to two messages took the same time in the sentence and on the clock', () => {
  const twice: Found = {
    ...replied,
    messages: [
      { at: '2026-11-09T14:00:00.000Z', from: 'you', text: 'And?' },
      { at: '2026-11-09T15:00:00.000Z', from: 'us', text: 'When?' },
    ],
  }
  expect(headOf(twice)).toMatchObject({
    by: { time: 'Monday 9 November, 15:00', rest: '6 hours after you wrote' },
    took: '6 hours',
  })
})

test('the answer to a cancelled talk is the message that came after it', () => {
  // The talk was cancelled on 20 November at 9:00.
  const cancelled: Found = { ...replied, promisedAt: '2026-11-21T09:00:00.000Z' }
  const again = { at: '2026-11-20T11:00:00.000Z', from: 'us' as const, text: 'Another time?' }
  expect(headOf({ ...cancelled, messages: [...cancelled.messages, again] })).toEqual({
    heading: 'We have answered',
    by: { time: 'Friday 20 November, 11:00', rest: '2 hours after you wrote' },
    took: '2 hours',
  })
  // Staff called instead, and set the status then.
  const called = { ...cancelled, statusAt: '2026-11-20T12:00:00.000Z' }
  expect(headOf(called)).toEqual({
    heading: 'We have answered',
    by: { time: 'Friday 20 November, 12:00' },
    took: undefined,
  })
})

import { expect, test } from 'vitest'
import type { SenderOffer } from '#contract/offers/offers.ts'
import { renderAccepted, renderAnswer } from './render.ts'
import { newOffer } from './testing.ts'

test('the subject of an answered offer is cut between characters, and decodes nothing', () => {
  const answer = {
    record: '01900000-0000-7000-8000-000000000001',
    answer: 'accept',
    name: 'Zoe Baker',
    text: null,
    at: new Date(0),
  } as const
  const subjects = (title: string) => {
    const offer: SenderOffer = {
      ...newOffer,
      title,
      lines: [],
      totals: { once: 0, month: 0 },
      startsOn: null,
      state: 'sent',
      hash: null,
      sentAt: null,
      answeredAt: null,
    }
    return [
      renderAccepted(offer, answer).subject,
      renderAnswer(offer, answer, 'https://fledge.test').subject,
    ]
  }
  for (const subject of subjects(`${'x'.repeat(99)}😀 and more`)) {
    expect(subject).toContain('x😀')
    expect(subject.isWellFormed()).toBe(true)
  }
  for (const subject of subjects('=?utf-8?Q?Paid?=')) expect(subject).not.toContain('=?')
})

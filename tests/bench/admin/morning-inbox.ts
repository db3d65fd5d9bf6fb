import { sql } from '#server/db/drizzle.ts'
import { openEmbedded } from '#server/db/embedded/embedded.ts'
import { rows } from '#server/db/rows.ts'
import { packageServices } from '#site/content.ts'
import { signIn } from '#tests/bench/stage.ts'

/** What is done with each of the thirty consultations of the morning, in order. */
export type Step = 'answer' | 'assign' | 'later' | 'spam'

const RECORDS = 30
const others: Partial<Record<number, Step>> = {
  3: 'assign',
  6: 'later',
  9: 'assign',
  11: 'spam',
  14: 'later',
  15: 'assign',
  19: 'spam',
  21: 'assign',
  24: 'later',
  27: 'assign',
}
export const steps: readonly Step[] = Array.from(
  { length: RECORDS },
  (_, index) => others[index] ?? 'answer',
)

/** Due within four hours; the others are late. */
const DUE_SOON = 5

/** First by its name, before the starters. */
export const template = 'A first answer'
export const username = 'ada'
export const account = {
  username,
  email: 'ada@example.test',
  password: 'three quiet herons wade',
  role: 'editor',
}

/** A member of staff, a template, and the consultations. */
export async function fill(url: string): Promise<void> {
  const owner = await signIn(url)
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  }
  await post('/api/auth/register', account, { Authorization: `Bearer ${owner.token}` })
  const { token } = await signIn(url, account)
  await post(
    '/api/templates',
    { name: template, text: 'Hello {name},\n\nwe can do that. Shall we talk on Friday?' },
    { Authorization: `Bearer ${token}` },
  )
  for (let n = 1; n <= RECORDS; n += 1)
    await post(
      '/api/consultations',
      {
        name: `Sample ${String(n).padStart(2, '0')}`,
        email: `sample${n}@example.test`,
        phone: '(555) 010-0003',
        service: packageServices()[0] ?? 'custom',
        message: `We are a dance studio with ${n} classes. The timetable changes every week, and I want to edit it myself, from the phone, between two lessons. A first version before Christmas would be good. Is that possible?`,
        preferredDate: new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10),
      },
      { 'X-Forwarded-For': `10.0.0.${n}` },
    )
}

/** The last to arrive are due within four hours, an hour's fifth apart; the others are late by hours. */
export async function makeLate(folder: string): Promise<void> {
  const { db, close } = await openEmbedded(`${folder}/db`)
  try {
    await rows(
      db,
      sql`update consultations c
        set due_at = now() + at.hours * interval '1 hour',
          created_at = now() + (at.hours - 24) * interval '1 hour'
        from (
          select id, case
            when place > ${RECORDS - DUE_SOON} then (place - ${RECORDS - DUE_SOON}) * 0.6
            else place - ${RECORDS} end as hours
          from (select id, row_number() over (order by name) as place from consultations) as p
        ) as at
        where at.id = c.id`,
    )
  } finally {
    await close()
  }
}

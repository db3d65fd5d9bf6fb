import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { rows } from '#server/db/rows.ts'
import { test } from '#server/testing.ts'
import { addPasskey, post } from '#tests/second-factors.ts'
import { signInAs } from './testing.ts'

/** What a thief of a session, a password or a mailbox, and a stranger, are refused. */

const countRefused = async (db: Database): Promise<number> => {
  const [found] = await rows<{ n: number }>(
    db,
    sql`select count(*) as n from events where kind = 'sign_in_refused'`,
  )
  return found?.n ?? 0
}

test('the audit log names a wrong passkey once for each challenge, and never for an invented one', async ({
  api,
}) => {
  const { db } = api.deps
  const ada = await signInAs(api.deps, 'admin', 'ada')
  const { passkey } = await addPasskey(api, ada.token)
  const answer = async (path: string, token?: string) => {
    const { challenge, options } = (await post(api, '/api/auth/passkeys/sign-in/options')).body.data
    const body = { challenge, response: passkey.get(options, { otherKey: true }) }
    for (let n = 0; n < 3; n += 1) expect((await post(api, path, body, token)).status).toBe(401)
  }
  const invented = { challenge: 'invented', response: { id: passkey.id } }
  for (let n = 0; n < 3; n += 1) {
    expect((await post(api, '/api/auth/passkeys/sign-in', invented)).status).toBe(401)
    expect((await post(api, '/api/auth/step-up', invented, ada.token)).status).toBe(401)
  }
  expect(await countRefused(db)).toBe(0)
  await answer('/api/auth/passkeys/sign-in')
  expect(await countRefused(db)).toBe(1)
  await answer('/api/auth/step-up', ada.token)
  expect(await countRefused(db)).toBe(2)
})

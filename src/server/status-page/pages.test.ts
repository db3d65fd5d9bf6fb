import { expect } from 'vitest'
import { limits } from '#contract/limits.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { submit, test } from '#server/inbox/testing.ts'
import { testApi, withPositions } from '#server/testing.ts'
import { content, positionLabel } from '#site/content.ts'
import { leaveNow, submitAndOpen, tokensIn } from './testing.ts'

test('a sender’s page says that a confirmation went only where one did', async ({
  api,
  db,
  editor,
}) => {
  const email = 'often@people.test'
  const page = async (token: string) => (await api.request(`/status/${token}`)).text()
  const went = 'its confirmation went to your address'
  const { token } = await submitAndOpen(api, 'contacts', { email })
  expect(await page(token)).toContain(went)

  let id = ''
  for (let n = 0; n < limits.acknowledgementsPerDay; n += 1)
    id = await submit(api, 'contacts', { email })
  await editor.post(`/api/contacts/${id}/messages`, { text: 'Hello.' })
  const message = (await leaveNow(api)).find(({ kind }) => kind === 'message')
  const unconfirmed = await page(tokensIn(message?.text ?? '')[0] ?? '')
  expect(unconfirmed).toContain('It is stored.')
  expect(unconfirmed).not.toContain(went)

  await rows(db, sql`update mail set delivery = 'bounced' where kind = 'acknowledgement'`)
  expect(await page(token)).not.toContain(went)
})

test('a sender’s page names the position that was chosen, also once it is gone', async ({ db }) => {
  const before = testApi(db, { content: withPositions({ gardener: {} }) })
  const { token } = await submitAndOpen(before, 'applications', { position: 'gardener' })
  const after = testApi(db, { content: { ...content(), positions: [] } })
  const page = await (await after.request(`/status/${token}`)).text()
  expect(page).toContain('>The gardener<')
  expect(page).not.toContain(`>${positionLabel('other')}<`)
})

import { expect } from 'vitest'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { staff } from '#server/inbox/testing.ts'
import { test, testApi, testConfig } from '#server/testing.ts'
import { sendCorpus } from '#tests/mails/send-corpus.ts'
import { siteOf } from './testing.ts'

const mail = {
  ...testConfig.mail,
  inboundSecret: 'known to the mail server alone',
  replyDomain: 'reply.fledge.test',
}

test('every mail of the corpus is kept once, where it belongs, and no program is answered', async ({
  db,
}) => {
  const api = testApi(db, { config: { ...testConfig, mail } })
  const site = siteOf(api, await staff(api))
  const result = await sendCorpus({
    ...site,
    // So many in an hour are a flood, which has tests of its own.
    async send(raw) {
      await rows(db, sql`delete from rate_limits where key like 'mail-in%'`)
      return site.send(raw)
    },
  })
  expect(result).toEqual({
    count: expect.any(Number),
    lost: [],
    misplaced: [],
    answered: [],
    wrong: [],
  })
  expect(result.count).toBeGreaterThan(200)
})

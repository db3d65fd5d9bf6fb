import { expect } from 'vitest'
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
  const result = await sendCorpus(siteOf(api, await staff(api)))
  expect(result).toEqual({
    count: expect.any(Number),
    lost: [],
    misplaced: [],
    answered: [],
    wrong: [],
  })
  expect(result.count).toBeGreaterThan(200)
})

import { expect } from 'vitest'
import { test, testApi, testConfig } from '#server/testing.ts'
import { sendCorpus } from '#tests/mails/send-corpus.ts'

const mail = {
  ...testConfig.mail,
  inboundSecret: 'known to the mail server',
  replyDomain: 'reply.fledge.test',
}

test('every mail of the corpus is kept once, where it belongs, and no program is answered', async ({
  db,
}) => {
  const result = await sendCorpus(testApi(db, { config: { ...testConfig, mail } }))
  expect(result).toEqual({
    count: expect.any(Number),
    lost: [],
    misplaced: [],
    answered: [],
    wrong: [],
  })
  expect(result.count).toBeGreaterThan(200)
})

import type { KindPath } from '#contract/inbox.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { answerOf, submit } from '#server/inbox/testing.ts'
import type { Message, Sender } from '#server/mail-out/message.ts'
import { drain } from '#server/mail-out/outbox.ts'
import { openText } from '#server/mail-out/sealed-text.ts'
import { withLink } from '#server/mail-out/with-link.ts'
import type { TestApi } from '#server/testing.ts'

/** Sends what is due, as the worker does, and answers what went out. */
export const sendDue = async ({ deps }: TestApi): Promise<Message[]> => {
  const sent: Message[] = []
  const provider: Sender = async (message) => {
    const bodies = message.sealed ? openText(deps.config.authSecret, message.sealed) : null
    sent.push({ ...message, ...bodies })
    return { outcome: 'sent', providerId: `provider-${message.id}` }
  }
  await drain(
    { db: deps.db, log: () => {}, mailPerHour: 300, send: withLink(deps, provider) },
    { batchMs: 10 },
  )
  return sent
}

export const delayIsOver = (api: TestApi): Promise<unknown> =>
  rows(api.deps.db, sql`update mail set next_attempt_at = now() where status = 'waiting'`)

export const leaveNow = async (api: TestApi): Promise<Message[]> => {
  await delayIsOver(api)
  return sendDue(api)
}

export const tokensIn = (text: string): string[] =>
  [...text.matchAll(/https:\/\/fledge\.test\/status\/([\w-]{22,})/g)].map(([, token = '']) => token)

/** Submits, and opens the link of the mail that confirms it. */
export const submitAndOpen = async (
  api: TestApi,
  kind: KindPath = 'consultations',
  changes: Record<string, unknown> = {},
): Promise<SenderOf> => {
  const email = `sender-${crypto.randomUUID()}@people.test`
  const id = await submit(api, kind, { email, ...changes })
  const sent = await sendDue(api)
  const confirmation = sent.find(
    (message) => message.kind === 'acknowledgement' && message.record?.id === id,
  )
  const [token = ''] = tokensIn(confirmation?.text ?? '')
  return senderBy(api, id, token)
}

/** The sender of a record, who calls by the link of the confirmation. */
export const senderBy = (api: TestApi, id: string, token: string) => {
  const path = `/api/status/${token}`
  return {
    id,
    token,
    path,
    get: async (call = '') => answerOf(await api.request(path + call)),
    post: async (call: string, body?: unknown, headers: Record<string, string> = {}) =>
      answerOf(await api.request(path + call, { method: 'POST', body, headers })),
    /** Posts as a browser does without a script. */
    postForm: (call: string, fields: Record<string, string>) =>
      api.request(path + call, { body: new URLSearchParams(fields), method: 'POST' }),
  }
}
export type SenderOf = ReturnType<typeof senderBy>

export const mailedCode = async (api: TestApi): Promise<string> => {
  const sent = (await sendDue(api)).filter(({ kind }) => kind === 'code')
  return /\b\d{8}\b/.exec(sent.at(-1)?.text ?? '')?.[0] ?? ''
}

import type { KindPath } from '#contract/inbox.ts'
import { type Staff, submit } from '#server/inbox/testing.ts'
import type { Message } from '#server/mail-out/message.ts'
import { sendDue } from '#server/status-page/testing.ts'
import type { TestApi } from '#server/testing.ts'
import { readWhole, type Site } from '#tests/mails/send-corpus.ts'

export const send = (api: TestApi, raw: Uint8Array): Promise<Response> =>
  api.request('/api/mail/inbound', {
    body: raw,
    token: api.deps.config.mail.inboundSecret,
    headers: { 'Content-Type': 'message/rfc822' },
  })

export const siteOf = (api: TestApi, superuser: Staff): Site => {
  const sent: Message[] = []
  return {
    send: (raw) => send(api, raw),
    submit: (kind, fields) => submit(api, kind as KindPath, { ...fields }),
    read: (kind, id) => readWhole(async (path) => (await superuser.get(path)).body, kind, id),
    async endLink(id) {
      await superuser.delete(`/api/contacts/${id}/link`)
    },
    async replyAddress(mailId) {
      sent.push(...(await sendDue(api)))
      const address = sent.find(({ id }) => id === mailId)?.replyTo
      if (!address) throw new Error('A mail without a reply address')
      return address
    },
  }
}

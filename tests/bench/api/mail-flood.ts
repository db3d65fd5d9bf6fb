import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, milliseconds, type Part } from '#tests/bench/part.ts'
import { signIn, withHost } from '#tests/bench/stage.ts'
import { eventually } from '#tests/faults/fault.ts'
import { newFolder } from '#tests/launch.ts'
import { client, contactBody, visitor } from './client.ts'
import { megabytes, residentOf } from './memory.ts'

const MAILS = 700
const CHARACTERS = 50_000
const READ_EVERY = 25
const inboundSecret = 'known to the mail server of the bench'
const word = 'mail-flood' as const

/** Mails to one record, by somebody who has no account: what they cost others. */
export const mailFlood: Part = {
  name: word,
  measure() {
    const dataDir = newFolder()
    return withHost(
      async ({ url, process }) => {
        const { token } = await signIn(url)
        const { send, close } = client(url, 2)
        const slowest: Record<string, number> = {}
        const timed = async (what: string, ...call: Parameters<typeof send>) => {
          const start = performance.now()
          const { status, body } = await send(...call)
          if (status >= 300) throw new Error(`${what} was answered ${status}`)
          slowest[what] = Math.max(slowest[what] ?? 0, performance.now() - start)
          return body
        }
        const stored = await timed(
          'the submission',
          'POST',
          '/api/contacts',
          visitor(1),
          contactBody(word),
        )
        const { _id } = JSON.parse(stored).data as { _id: string }
        const mailsOf = () =>
          readdirSync(join(dataDir, 'mail'))
            .filter((name) => name.endsWith('.eml'))
            .map((name) =>
              readFileSync(join(dataDir, 'mail', name), 'utf8').replaceAll(/=\r?\n/g, ''),
            )
        const link = () =>
          mailsOf().flatMap((mail) => /\/status\/([\w-]{20,})/.exec(mail)?.[1] ?? [])[0]
        if (!(await eventually(async () => link() !== undefined)))
          throw new Error('No confirmation was sent')
        const replyTo = mailsOf().flatMap(
          (mail) => /^Reply-To: (reply\+\S+)/m.exec(mail)?.[1] ?? [],
        )
        const staff = { Authorization: `Bearer ${token}` }
        const text = 'All work and no play. '.repeat(CHARACTERS / 22)
        let resident = 0
        for (let n = 0; n < MAILS; n += 1) {
          const raw = `From: visitor-${word}@people.example\r\nTo: ${replyTo[0]}\r\nSubject: Re\r\nMessage-ID: <${n}@people.example>\r\n\r\n${n} ${text}`
          await timed(
            'a mail',
            'POST',
            '/api/mail/inbound',
            {
              ...{ Authorization: `Bearer ${inboundSecret}`, 'Content-Type': 'message/rfc822' },
            },
            raw,
          )
          resident = Math.max(resident, residentOf(process.pid ?? 0))
          if (n % READ_EVERY > 0) continue
          await timed('the record', 'GET', `/api/contacts/${_id}`, staff)
          await timed('its activity', 'GET', `/api/contacts/${_id}/activity`, staff)
          await timed('the list', 'GET', '/api/contacts', staff)
          await timed('the sender’s data', 'GET', `/api/status/${link()}`)
          await timed('the sender’s page', 'GET', `/status/${link()}`)
        }
        close()
        return {
          rows: [
            ...Object.entries(slowest).map(([what, ms]) =>
              atMost(`${what}, the slowest of ${MAILS} mails`, ms, 200, milliseconds),
            ),
            atMost('resident memory, the most', resident, 350 * 1024 ** 2, megabytes),
          ],
          details: { slowest, resident },
        }
      },
      { DATA_DIR: dataDir, INBOUND_SECRET: inboundSecret, REPLY_DOMAIN: 'reply.fledge.test' },
    )
  },
}

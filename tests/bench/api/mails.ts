import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { samples } from '#server/intake/samples.ts'
import { informative, milliseconds, none, type Part } from '#tests/bench/part.ts'
import { signIn, withHost } from '#tests/bench/stage.ts'
import { percentile } from '#tests/bench/statistics.ts'
import { eventually } from '#tests/faults/fault.ts'
import { newFolder } from '#tests/launch.ts'
import { readWhole, type Site, sendCorpus } from '#tests/mails/send-corpus.ts'
import { visitor } from './client.ts'

const inboundSecret = 'known to the mail server of the bench'

/** The corpus of mails, sent to the host as a mail server would. */
export const mails: Part = {
  name: 'mails',
  measure: () => {
    const dataDir = newFolder()
    return withHost(
      async ({ url }) => {
        const { token } = await signIn(url)
        const times: number[] = []
        const site = siteAt(url, dataDir, token, times)
        const { count, lost, misplaced, answered, wrong } = await sendCorpus(site)
        return {
          rows: [
            none(`mails lost, of ${count}`, lost.length),
            none(`mails on another record or as something else, of ${count}`, misplaced.length),
            none(`mails of programs that were answered, of ${count}`, answered.length),
            informative(
              'from a mail to its answer, median and 95th percentile',
              [percentile(times, 0.5), percentile(times, 0.95)],
              'one after another',
              milliseconds,
            ),
          ],
          details: { count, lost, misplaced, answered, wrong },
        }
      },
      { DATA_DIR: dataDir, INBOUND_SECRET: inboundSecret, REPLY_DOMAIN: 'reply.fledge.test' },
    )
  },
}

const siteAt = (url: string, dataDir: string, token: string, times: number[]): Site => {
  const staff = (method: string, path: string) =>
    fetch(url + path, { method, headers: { Authorization: `Bearer ${token}` } })
  let visitors = 0
  return {
    async send(raw) {
      const start = performance.now()
      const response = await fetch(`${url}/api/mail/inbound`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${inboundSecret}`,
          'Content-Type': 'message/rfc822',
        },
        body: Uint8Array.from(raw),
      })
      times.push(performance.now() - start)
      return response
    },
    async submit(kind, fields) {
      visitors += 1
      const response = await fetch(`${url}/api/${kind}`, {
        method: 'POST',
        headers: visitor(visitors),
        body: JSON.stringify({ ...samples[kind as keyof typeof samples], ...fields }),
      })
      const { data } = (await response.json()) as { data: { _id: string } }
      return data._id
    },
    read: (kind, id) => readWhole(async (path) => (await staff('GET', path)).json(), kind, id),
    async endLink(id) {
      await staff('DELETE', `/api/contacts/${id}/link`)
    },
    async replyAddress(mailId) {
      const file = join(dataDir, 'mail', `${mailId}.eml`)
      if (!(await eventually(async () => existsSync(file)))) throw new Error('No mail was sent')
      return /^Reply-To: (\S+)/m.exec(await readFile(file, 'utf8'))?.[1] ?? ''
    },
  }
}

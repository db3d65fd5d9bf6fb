import pg from 'pg'
import { kindPaths } from '#contract/inbox.ts'
import { connectRemote } from '#server/db/remote.ts'
import { samples } from '#server/intake/samples.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { tokensOf } from '#server/mail-out/store/record-links.ts'
import { atOnce, visitor } from '#tests/bench/api/client.ts'
import { openHost } from '#tests/bench/stage.ts'
import { end } from '#tests/launch.ts'
import { type Ask, scan } from '#tests/sender-robot.ts'
import type { Fault } from './fault.ts'

const COUNT = 1_000
const AUTH_SECRET = 'one secret that the host and this test were given'

/** Mail scanners that open every link of senders' pages and submit every form. */
export const senderRobots: Fault = {
  name: 'sender-robots',
  promise: `a program that opens every link and submits every form of ${COUNT.toLocaleString('en')} senders’ pages changes no record`,
  isQuick: false,
  async run(promise, { newDatabase }) {
    const url = await newDatabase('migrated')
    const host = await openHost({ DATABASE_URL: url, AUTH_SECRET })
    const database = new pg.Client({ connectionString: url })
    await database.connect()
    const { db, close } = await connectRemote({ kind: 'pg', url })
    const digest = async (): Promise<unknown> => {
      const tables = [...kindPaths, 'events'].map(
        (table) => `(select md5(string_agg(r::text, ' ' order by id)) from ${table} r) as ${table}`,
      )
      return (await database.query(`select ${tables.join(', ')}`)).rows[0]
    }
    try {
      const tokens: string[] = []
      await atOnce(COUNT, 8, async (n) => {
        const kind = kindPaths[n % kindPaths.length] ?? 'contacts'
        const long = kind === 'applications' ? 'coverLetter' : 'message'
        const email = `visitor-${n}@people.example`
        const answer = await fetch(`${host.url}/api/${kind}`, {
          method: 'POST',
          headers: visitor(n),
          body: JSON.stringify({
            ...samples[kind],
            email,
            [long]: `Text number ${n}.`,
          }),
        })
        const { data } = (await answer.json()) as { data?: { _id: string } }
        const record = { id: data?._id ?? '', email }
        const its = await tokensOf(db, AUTH_SECRET, kindByPath[kind], record)
        if (its) tokens.push(its.page)
      })
      promise('every submission has a page', tokens.length === COUNT, tokens.length)

      const before = await digest()
      const sum = { pages: 0, forms: 0 }
      await atOnce(tokens.length, 8, async (n) => {
        const headers = { 'X-Forwarded-For': visitor(n)['X-Forwarded-For'] ?? '' }
        const ask: Ask = (path, body) =>
          fetch(host.url + path, {
            headers,
            redirect: 'manual',
            ...(body ? { method: 'POST', body } : {}),
          })
        const { pages, forms } = await scan(ask, tokens[n] ?? '')
        sum.pages += pages
        sum.forms += forms
      })
      promise('each was opened with its second screens and forms', sum.forms >= 6 * COUNT, sum)
      const after = await digest()
      promise('no record and no entry changed', JSON.stringify(after) === JSON.stringify(before), {
        before,
        after,
      })
    } finally {
      await close()
      await database.end()
      await end(host.process)
    }
  },
}

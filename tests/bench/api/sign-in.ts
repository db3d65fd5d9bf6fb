import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, informative, milliseconds, type Part } from '#tests/bench/part.ts'
import { signIn, withHost } from '#tests/bench/stage.ts'
import { guessedRight, median, percentile } from '#tests/bench/statistics.ts'
import { type Answer, client, visitor } from './client.ts'

/** Whether the time of an answer tells a known address from an unknown one. */

/** Each address is asked three times, as often as its own limits allow. */
const ADDRESSES = 40
const ROUNDS = 3 * ADDRESSES

/** How long what an answer has left behind, such as a mail, is left to itself. */
const PAUSE_MS = 100

const password = 'sample passphrase of the bench'

const kinds = ['known', 'unknown'] as const
type Kind = (typeof kinds)[number]
type Times = Record<Kind, number[]>

const address = (kind: Kind, n: number): string => `${kind}-${n % ADDRESSES}@people.example`

const percent = (value: number): string => `${Math.round(value * 100)} %`

const expectStatus = ({ status }: Answer, expected: number): void => {
  if (status !== expected) throw new Error(`${status} was answered instead of ${expected}`)
}

export const signInTimes: Part = {
  name: 'sign-in',
  measure: () =>
    withHost(async ({ url }) => {
      const api = client(url)
      let visitors = 0
      const post = (path: string, body: object) => {
        visitors += 1
        return api.send('POST', path, visitor(visitors), JSON.stringify(body))
      }
      await addAccounts(api, (await signIn(url)).token)

      // Each known address has written, too.
      for (let n = 0; n < ADDRESSES; n += 1) {
        const message = { name: 'Sample Visitor', email: address('known', n), message: `Text ${n}` }
        expectStatus(await post('/api/contacts', message), 201)
      }

      const times = {
        reset: emptyTimes(),
        next: emptyTimes(),
        links: emptyTimes(),
        afterLinks: emptyTimes(),
        signIn: emptyTimes(),
      }
      const timedInto = async (list: number[], expected: number, send: () => Promise<Answer>) => {
        const start = performance.now()
        expectStatus(await send(), expected)
        list.push(performance.now() - start)
      }
      for (let n = 0; n < ROUNDS; n += 1) {
        // In both orders, so that neither kind always follows the other.
        for (const kind of n % 2 ? kinds : kinds.toReversed()) {
          const email = address(kind, n)
          await timedInto(times.reset[kind], 200, () => post('/api/auth/reset', { email }))
          await timedInto(times.next[kind], 200, () => api.send('GET', '/api/health'))
          await sleep(PAUSE_MS)
          await timedInto(times.links[kind], 200, () => post('/api/status', { email }))
          await timedInto(times.afterLinks[kind], 200, () => api.send('GET', '/api/health'))
          await sleep(PAUSE_MS)
          const wrong = { email, password: 'not the passphrase' }
          await timedInto(times.signIn[kind], 401, () => post('/api/auth/login', wrong))
        }
      }
      api.close()
      return {
        rows: [
          ...rowsOf('reset', times.reset),
          ...rowsOf('the request right after a reset', times.next),
          ...rowsOf('links of a sender’s pages', times.links),
          ...rowsOf('the request right after them', times.afterLinks),
          ...rowsOf('sign-in with a wrong password', times.signIn),
        ],
        details: {
          quartiles: {
            reset: quartilesOf(times.reset),
            next: quartilesOf(times.next),
            links: quartilesOf(times.links),
            afterLinks: quartilesOf(times.afterLinks),
            signIn: quartilesOf(times.signIn),
          },
        },
      }
    }),
}

/** Milliseconds: a quarter of the answers, half and three quarters took no longer. */
const quartilesOf = ({ known, unknown }: Times) => {
  const quartiles = (list: number[]) =>
    [0.25, 0.5, 0.75].map((share) => Number(percentile(list, share).toFixed(1)))
  return { known: quartiles(known), unknown: quartiles(unknown) }
}

const emptyTimes = (): Times => ({ known: [], unknown: [] })

const addAccounts = async (api: ReturnType<typeof client>, token: string): Promise<void> => {
  for (let n = 0; n < ADDRESSES; n += 1) {
    const account = { username: `known-${n}`, email: address('known', n), password }
    const headers = { ...visitor(0), Authorization: `Bearer ${token}` }
    expectStatus(
      await api.send('POST', '/api/auth/register', headers, JSON.stringify(account)),
      201,
    )
  }
}

const rowsOf = (what: string, { known, unknown }: Times) => [
  informative(
    `${what}: known / unknown address, median`,
    [median(known), median(unknown)],
    `${ROUNDS} of each`,
    milliseconds,
  ),
  atMost(
    `${what}: known or unknown guessed right by one time`,
    guessedRight(known, unknown),
    0.6,
    percent,
  ),
]

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { client, contactBody, visitor } from '#tests/bench/client.ts'
import { openHost, signIn } from '#tests/bench/stage.ts'
import { median } from '#tests/bench/statistics.ts'
import { superuser } from '#tests/e2e/superuser.ts'
import { end, launch, newFolder, outcome, type Started } from '#tests/launch.ts'
import { generate, type LoadReport } from './generator.ts'

/**
 * `npm run load -- [scenario …] [--rate N] [--seconds N] [--minutes N] [--database URL]`: calls at
 * fixed rates against a host of its own on this machine, never another. `soak` runs for `--minutes`
 * (1 unless told otherwise; 30 is what it is for).
 */
const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '1' },
    database: { type: 'string' },
  },
})
const seconds = bounded(options.seconds, 600)
const rateOr = (usual: number) => bounded(options.rate ?? String(usual), 2_000)

type Scenario = (host: Started) => Promise<void>

/** Everybody comes from an address of their own, so that limits measure nothing here. */
let visitors = 0

const submissions = ({ url }: Started, many = client(url, 256)) => ({
  call: async () => {
    visitors += 1
    const body = contactBody(`load-${visitors}`)
    return (await many.send('POST', '/api/contacts', visitor(visitors), body)).status
  },
})

const scenarios: Record<string, Scenario> = {
  async submissions(host) {
    show('submissions', await generate({ rate: rateOr(50), seconds, ...submissions(host) }))
  },

  async lists(host) {
    const { token } = await signIn(host.url)
    const { send } = client(host.url, 64)
    const queries = ['', '?status=pending', '?q=bakery', '?sort=name']
    const call = async (n: number) => {
      const path = `/api/consultations${queries[n % queries.length]}`
      return (await send('GET', path, { Authorization: `Bearer ${token}` })).status
    }
    show('lists', await generate({ rate: rateOr(50), seconds, call }))
  },

  async 'sign-ins'(host) {
    const { send } = client(host.url, 64)
    const { email, password } = superuser
    const call = async (n: number) => {
      const body = JSON.stringify({ email, password })
      return (await send('POST', '/api/auth/login', visitor(n + 1_000_000), body)).status
    }
    show('sign-ins', await generate({ rate: rateOr(10), seconds, call }))
  },

  /** Guesses at passwords, each from elsewhere and for another account, beside people who write. */
  async flood(host) {
    const calm = await generate({ rate: 20, seconds, ...submissions(host) })
    show('submissions alone', calm)
    const { send } = client(host.url, 256)
    const guess = async (n: number) => {
      const body = JSON.stringify({ email: `nobody-${n}@example.test`, password: 'a wrong guess' })
      return (await send('POST', '/api/auth/login', visitor(n + 2_000_000), body)).status
    }
    const [beside, flood] = await Promise.all([
      generate({ rate: 20, seconds, ...submissions(host) }),
      generate({ rate: rateOr(50), seconds, call: guess }),
    ])
    show('guesses', flood)
    show('submissions beside them', beside)
  },

  /** Bodies of 64 KiB that are no submission. */
  async rubbish(host) {
    const { send } = client(host.url, 64)
    const bodies = ['{'.repeat(65_000), `"${'x'.repeat(65_000)}"`, 'x'.repeat(70_000)]
    const call = async (n: number) =>
      (await send('POST', '/api/contacts', visitor(n + 3_000_000), bodies[n % bodies.length]))
        .status
    show('rubbish', await generate({ rate: rateOr(50), seconds, call }))
    show('submissions after it', await generate({ rate: 20, seconds, ...submissions(host) }))
  },

  /** A steady mixture, with the process's memory watched. */
  async soak(host) {
    const minutes = bounded(options.minutes, 60)
    const { token } = await signIn(host.url)
    const { send } = client(host.url, 64)
    const memory: number[] = []
    const watch = setInterval(() => memory.push(residentMegabytes(host)), 1_000)
    const write = submissions(host)
    const call = async (n: number) => {
      if (n % 4 === 0) return write.call()
      const path = n % 4 === 1 ? '/' : n % 4 === 2 ? '/api/contacts' : '/api/stats'
      return (await send('GET', path, { Authorization: `Bearer ${token}` })).status
    }
    const report = await generate({ rate: rateOr(20), seconds: minutes * 60, call })
    clearInterval(watch)
    show(`soak, ${minutes} min`, report)
    const quarter = Math.max(1, Math.floor(memory.length / 4))
    const [early, late] = [memory.slice(quarter, 2 * quarter), memory.slice(-quarter)]
    console.log(
      `  resident memory: ${Math.round(median(early))} MB in the second quarter, ${Math.round(median(late))} MB in the last, ${Math.round(Math.max(...memory))} MB at most`,
    )
  },
}

const chosen = named.length > 0 ? named : Object.keys(scenarios)
const unknown = chosen.filter((name) => !(name in scenarios))
if (unknown.length > 0) {
  console.error(`No such scenario: ${unknown.join(', ')}`)
  console.error(`There are: ${Object.keys(scenarios).join(', ')}`)
  process.exit(1)
}

const env = {
  DATA_DIR: newFolder(),
  ...(options.database ? { DATABASE_URL: options.database } : {}),
}
await end((await openHost(env)).process)
const { code, output } = await outcome(launch('sample-data', ['--consultations', '2000'], env))
if (code !== 0) throw new Error(output)
const host = await openHost(env)
for (const name of chosen) {
  console.log(`\n${name}`)
  await scenarios[name]?.(host)
}
await end(host.process)
process.exit(0)

function show(name: string, { calls, statuses, p50, p95, p99, longest }: LoadReport): void {
  const answers = Object.entries(statuses).map(([status, count]) => `${status} × ${count}`)
  const times = [p50, p95, p99, longest].map((value) => Math.round(value)).join(' / ')
  console.log(`  ${name}: ${calls} calls, ${answers.join(', ')}; p50 / p95 / p99 / max ${times} ms`)
}

function bounded(text: string, most: number): number {
  const number = Number(text)
  if (!(number > 0 && number <= most)) throw new Error(`${text} is not between 0 and ${most}`)
  return number
}

/** Linux tells it in /proc; elsewhere it stays unknown. */
function residentMegabytes({ process: { pid } }: Started): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}

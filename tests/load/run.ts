import { loadavg } from 'node:os'
import { readArguments } from '#cli/arguments.ts'
import { duration, print, withCount } from '#cli/progress.ts'
import { Usage } from '#host/environment.ts'
import { client, contactBody, visitor } from '#tests/bench/api/client.ts'
import { openHost, signIn } from '#tests/bench/stage.ts'
import { chosenNames } from '#tests/chosen-names.ts'
import { superuser } from '#tests/e2e/superuser.ts'
import {
  type Conversation,
  inboundSecret,
  mail,
  message,
  siteAt,
  startConversations,
} from '#tests/faults/conversation-traffic.ts'
import { end, launch, newFolder, outcome, type Started } from '#tests/launch.ts'
import { withSteps } from '#tests/steps.ts'
import { generate, type LoadReport } from './generator.ts'
import { growth, tellsMemory, watchMemory } from './memory.ts'
import { passkeySignIn, siteUrl } from './passkeys.ts'
import { bookings, editing, mixed } from './soak.ts'

/**
 * Calls at fixed rates against a host of its own on this machine, never another. `soak` runs for `--minutes`
 * (1 unless told otherwise; 30 is what it is for).
 */
const usage = 'npm run load -- [scenario …] [--rate N] [--seconds N] [--minutes N] [--database URL]'
const options = readOptions()
const { seconds } = options
const rateOr = (usual: number) => options.rate ?? usual

interface Stage {
  host: Started
  conversations: readonly Conversation[]
}

type Scenario = (stage: Stage) => Promise<void>

const MEGABYTE = 1_048_576
/** The largest ratio of a soak's last quarter to its second; more is a leak. */
const FLAT = 1.1

/** Each visitor has an IP of its own, so that no limit applies. */
let visitors = 0

const submissions = ({ url }: Started, many = client(url, 256)) => ({
  call: async () => {
    visitors += 1
    const body = contactBody(`load-${visitors}`)
    return (await many.send('POST', '/api/contacts', visitor(visitors), body)).status
  },
})

/** Messages of staff and replies by mail, to one conversation after another. */
const conversing = async ({ host, conversations }: Stage, many = client(host.url, 64)) => {
  const site = { ...siteAt(host.url, (await signIn(host.url)).token), ...many }
  let count = 0
  const next = (write: typeof message) => async () => {
    count += 1
    const place = conversations[count % conversations.length]
    if (!place) throw new Error('There is no conversation')
    return (await write(`load-${started}-${count}`, place).post(site)).status
  }
  return { message: next(message), mail: next(mail) }
}

const scenarios: Record<string, Scenario> = {
  async submissions({ host }) {
    show('submissions', await generate({ rate: rateOr(50), seconds, ...submissions(host) }))
  },

  async lists({ host }) {
    const { token } = await signIn(host.url)
    const { send } = client(host.url, 64)
    const queries = ['', '?status=pending', '?q=bakery', '?sort=name']
    const call = async (n: number) => {
      const path = `/api/consultations${queries[n % queries.length]}`
      return (await send('GET', path, { Authorization: `Bearer ${token}` })).status
    }
    show('lists', await generate({ rate: rateOr(50), seconds, call }))
  },

  async 'sign-ins'({ host }) {
    const { send } = client(host.url, 64)
    const { email, password } = superuser
    const call = async (n: number) => {
      const body = JSON.stringify({ email, password })
      return (await send('POST', '/api/auth/login', visitor(n + 1_000_000), body)).status
    }
    show('sign-ins', await generate({ rate: rateOr(10), seconds, call }))
  },

  async passkeys({ host }) {
    const signInOnce = await passkeySignIn(host)
    const call = (n: number) => signInOnce(n + 5_000_000)
    show('sign-ins by passkey', await generate({ rate: rateOr(10), seconds, call }))
  },

  async conversations(stage) {
    const write = await conversing(stage)
    show('messages of staff', await generate({ rate: rateOr(20), seconds, call: write.message }))
    show('replies by mail', await generate({ rate: rateOr(20), seconds, call: write.mail }))
  },

  /** Password guesses, each from another IP and for another account, besides ordinary submissions. */
  async flood({ host }) {
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

  /** Bodies of 64 KiB that are not valid. */
  async rubbish({ host }) {
    const { send } = client(host.url, 64)
    const bodies = ['{'.repeat(65_000), `"${'x'.repeat(65_000)}"`, 'x'.repeat(70_000)]
    const call = async (n: number) =>
      (await send('POST', '/api/contacts', visitor(n + 3_000_000), bodies[n % bodies.length]))
        .status
    show('rubbish', await generate({ rate: rateOr(50), seconds, call }))
    show('submissions after it', await generate({ rate: 20, seconds, ...submissions(host) }))
  },

  /** A steady mixture of all calls while releases are published, with the memory of the process. */
  async soak(stage) {
    const { host, conversations } = stage
    const minutes = options.minutes
    const { token } = await signIn(host.url)
    const many = client(host.url, 64)
    const write = await conversing(stage, many)
    const desk = await editing(host)
    const { email, password } = superuser
    const post = async (n: number, path: string, body: object) =>
      (await many.send('POST', path, visitor(n + 4_000_000), JSON.stringify(body))).status
    const [open] = conversations
    const reads = [
      '/',
      '/api/contacts',
      '/api/consultations?q=bakery',
      '/api/stats',
      '/blog',
      '/faq',
      '/api/appointments',
    ].concat(open ? [`/api/contacts/${open.id}`, `/status/${open.pageToken}`] : [])
    const read = async (n: number) =>
      (await many.send('GET', reads[n % reads.length] ?? '/', { Authorization: `Bearer ${token}` }))
        .status
    const byPasskey = await passkeySignIn(host)
    // An account may send 200 messages an hour.
    const call = mixed([
      [48, read],
      [20, submissions(host, many).call],
      [12, (n) => post(n, '/api/visits', { page: '/', wide: n % 2 === 0 })],
      [8, write.mail],
      [4, desk.edit],
      [3, (n) => post(n, '/api/auth/login', { email, password })],
      [2, (n) => byPasskey(n + 4_000_000)],
      [1, write.message],
      [2, await bookings(host, dataDir)],
    ])
    const memory = watchMemory(host, Math.min(30_000, (minutes * 60_000) / 12))
    const load = { rate: rateOr(5), seconds: minutes * 15 }
    const total = Math.round(load.rate * load.seconds)
    await withCount({ what: 'calls', total: 4 * total }, async (advance) => {
      for (const quarter of [0, 1, 2, 3]) {
        const counted = async (n: number) => {
          const status = await call(n + quarter * total)
          advance(1)
          return status
        }
        const report = await generate({ ...load, call: counted })
        show(`soak, ${minutes} min, quarter ${quarter + 1}`, report)
        if (Object.keys(report.statuses).some((status) => !/^[23]/.test(status)))
          process.exitCode = 1
      }
    })
    memory.stop()
    await desk.stop()
    const lasted = desk.releases.map(({ seconds }) => seconds.toFixed(1)).join(' ')
    const states = [...new Set(desk.releases.map(({ state }) => state))].join(', ')
    print(`  ${desk.releases.length} releases, ${states}: ${lasted} s`)
    const samples = memory.samples()
    for (const part of ['resident', 'heap', 'external', 'files'] as const) {
      const unit =
        part === 'files' ? { size: 1, name: 'open files' } : { size: MEGABYTE, name: 'MB' }
      const values = samples.map((sample) => sample[part])
      const { early, late, times } = growth(values)
      const isFlat = times <= FLAT
      if (!isFlat) process.exitCode = 1
      const [from, to, most] = [early, late, Math.max(...values)].map((value) =>
        Math.round(value / unit.size),
      )
      print(
        `  ${isFlat ? '✓' : '✗'} ${part}: ${from} ${unit.name} in the second quarter, ${to} in the last (${times.toFixed(2)} ×), ${most} at most`,
      )
      print(`    ${values.map((value) => Math.round(value / unit.size)).join(' ')} ${unit.name}`)
    }
  },
}

const chosen = chosenNames(usage, Object.keys(scenarios), options.words)

const started = Date.now()
const dataDir = newFolder()
const env = {
  DATA_DIR: dataDir,
  SITE_URL: siteUrl,
  INBOUND_SECRET: inboundSecret,
  ...tellsMemory,
  ...(options.database ? { DATABASE_URL: options.database } : {}),
}
await withSteps('scenario', chosen.length + 1, async (next) => {
  next('10,000 records')
  const stage = await openStage()
  for (const name of chosen) {
    next(name)
    print(`\n${name} (${new Date().toISOString()}, load of the machine ${loadNow()})`)
    await scenarios[name]?.(stage)
    print(`  load of the machine at the end: ${loadNow()}`)
  }
  await end(stage.host.process)
})
console.log(`\n${duration(Date.now() - started)}`)
process.exit()

/** The host with the records, and contacts that staff and senders write about. */
async function openStage(): Promise<Stage> {
  await end((await openHost(env)).process)
  const { code, output } = await outcome(launch('sample-data', ['--consultations', '10000'], env))
  if (code !== 0) throw new Error(output)
  const host = await openHost(env)
  const site = siteAt(host.url, (await signIn(host.url)).token)
  const series = `load-${started}`
  return { host, conversations: await startConversations(site, { count: 40, series, dataDir }) }
}

function show(name: string, { calls, statuses, p50, p95, p99, longest }: LoadReport): void {
  const answers = Object.entries(statuses).map(([status, count]) => `${status} × ${count}`)
  const times = [p50, p95, p99, longest].map((value) => Math.round(value)).join(' / ')
  print(`  ${name}: ${calls} calls, ${answers.join(', ')}; p50 / p95 / p99 / max ${times} ms`)
}

/** The load average of the last minute. */
function loadNow(): string {
  return (loadavg()[0] ?? 0).toFixed(1)
}

/** Prints a wrong option as one sentence, without a stack, and exits. */
function readOptions() {
  try {
    const { values, positionals } = readArguments(usage, {
      words: [0, Number.POSITIVE_INFINITY],
      options: {
        rate: { type: 'string' },
        seconds: { type: 'string', default: '10' },
        minutes: { type: 'string', default: '1' },
        database: { type: 'string' },
      },
    })
    return {
      words: positionals,
      rate: values.rate === undefined ? undefined : bounded(values.rate, 2_000),
      seconds: bounded(values.seconds, 600),
      minutes: bounded(values.minutes, 60),
      database: values.database,
    }
  } catch (error) {
    console.error((error as Error).message)
    process.exit(error instanceof Usage ? 0 : 1)
  }
}

function bounded(text: string, most: number): number {
  const number = Number(text)
  if (!(number > 0 && number <= most)) throw new Error(`${text} is not between 0 and ${most}`)
  return number
}

import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { dirname } from 'node:path'
import { duration, print } from '#cli/progress.ts'
import {
  benchFile,
  type Machine,
  type PartResult,
  readBenchResults,
  wasBusy,
} from '#site/bench-results.ts'
import { chosenNames } from '#tests/chosen-names.ts'
import { withSteps } from '#tests/steps.ts'
import { admin } from './admin/admin.ts'
import { morning } from './admin/morning.ts'
import { records } from './admin/records.ts'
import { scroll } from './admin/scroll.ts'
import { contacts } from './api/contacts.ts'
import { functions } from './api/functions.ts'
import { intake } from './api/intake.ts'
import { kills } from './api/kills.ts'
import { lists } from './api/lists.ts'
import { mailFlood } from './api/mail-flood.ts'
import { mails } from './api/mails.ts'
import { memory } from './api/memory.ts'
import { signInTimes } from './api/sign-in.ts'
import { build } from './build.ts'
import { publish } from './content/publish.ts'
import { publishKills } from './content/publish-kills.ts'
import { image } from './image.ts'
import { axe } from './pages/axe.ts'
import { engines } from './pages/engines.ts'
import { followed } from './pages/followed.ts'
import { headers } from './pages/headers.ts'
import { lcp } from './pages/lcp.ts'
import { lighthouse } from './pages/lighthouse.ts'
import { requests } from './pages/requests.ts'
import { shifts } from './pages/shifts.ts'
import { weights } from './pages/weights.ts'
import { belowZero, NotMeasurable, type Part } from './part.ts'

/** `npm run bench -- [part …]`: measures the named parts; without names, all. */

const parts: readonly Part[] = [
  build,
  weights,
  requests,
  headers,
  lighthouse,
  lcp,
  shifts,
  followed,
  axe,
  engines,
  admin,
  contacts,
  intake,
  lists,
  records,
  signInTimes,
  scroll,
  morning,
  functions,
  memory,
  image,
  mails,
  mailFlood,
  kills,
  publish,
  publishKills,
]

/** Two names for one part: search needs the lists' 100,000 records. */
const aliases: Record<string, string> = { search: 'lists' }

const names = chosenNames(
  'npm run bench -- [part …] (search: another name of lists)',
  parts.map(({ name }) => name),
  process.argv.slice(2).map((name) => aliases[name] ?? name),
)

const machine = (): Machine => ({
  processors: availableParallelism(),
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  node: process.version,
  load: Number((loadavg()[0] ?? 0).toFixed(1)),
})
const signs = { met: '✓', missed: '✗', informative: '·' } as const
const started = performance.now()
let isMet = true

const chosen = parts.filter(({ name }) => names.includes(name))
await withSteps('part', chosen.length, async (next) => {
  for (const part of chosen) {
    next(part.name)
    await measure(part)
  }
})

console.log(`\n${duration(performance.now() - started)}; all in ${benchFile}`)
process.exit(isMet ? 0 : 1)

async function measure(part: Part): Promise<void> {
  const start = performance.now()
  try {
    const before = machine()
    const measured = await part.measure()
    const impossible = belowZero(measured.details)
    if (impossible.length > 0) throw new Error(`Below zero: ${impossible.join(', ')}`)
    const result = { measuredAt: new Date().toISOString(), machine: before, ...measured }
    print(`\n${part.name} (${duration(performance.now() - start)})`)
    if (wasBusy(result)) {
      print(`  The machine is busy (load ${before.load}): times are not the program's own.`)
    }
    for (const { what, figure, target, verdict } of measured.rows) {
      print(`  ${signs[verdict]} ${what.padEnd(72)} ${figure.padStart(18)}   ${target}`)
      isMet &&= verdict !== 'missed'
    }
    keep(part.name, result)
  } catch (error) {
    if (error instanceof NotMeasurable) return print(`\n${part.name}: ${error.message}`)
    isMet = false
    print(`\n${part.name} could not be measured:`, error)
  }
}

/** Keeps the latest result of each part; where there is no room for it, those of before stay whole. */
function keep(name: string, result: PartResult): void {
  const results = readBenchResults()
  results.parts[name] = result
  mkdirSync(dirname(benchFile), { recursive: true })
  const next = `${benchFile}.next`
  writeFileSync(next, `${JSON.stringify(results, null, 2)}\n`)
  renameSync(next, benchFile)
}

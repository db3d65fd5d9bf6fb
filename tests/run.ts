import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { findOrInstallChromium } from '#tests/browser.ts'

/** `npm test`: everything there is to check, then one line with the sums. */

interface Sum {
  passed: number
  /** The names of what failed. */
  failures: string[]
}

const UNIT_REPORT = 'test-results/unit.json'
const BROWSER_REPORT = 'test-results/browser.json'

rmSync('test-results', { recursive: true, force: true })
mkdirSync('test-results')

const sums: Sum[] = []
const browser = findOrInstallChromium().catch((error: Error) => error)

// Both processors are busy throughout: what reads only sources is checked beside the build, and types,
// which come from the build's content, beside the tests.
const sources = inTurn([
  () =>
    check('code is formatted and linted', 'biome', [
      'ci',
      '--error-on-warnings',
      '--colors=off',
      '.',
    ]),
  () => check('no file and no package is unused', 'knip', []),
  () =>
    check('prose and templates are formatted', 'prettier', ['--check', '--log-level=warn', '.']),
])
// The packaged functions and the browser need the built site. What a publish only notes fails here.
process.env.PAGE_CHECK ??= 'strict'
sums.push(await check('the site builds', 'npm', ['run', '--silent', 'build']))
sums.push(...(await sources))
sums.push(
  ...(await Promise.all([
    check('code and templates have no type errors', 'npm', ['run', '--silent', 'check']),
    suite('unit and API', UNIT_REPORT, unitSum, 'vitest', [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${UNIT_REPORT}`,
    ]),
  ])),
)
const chromium = await browser
if (chromium instanceof Error) {
  console.error(chromium.message)
  sums.push({ passed: 0, failures: ['a browser is found or installed'] })
} else {
  process.env.E2E_CHROMIUM = chromium
  sums.push(await suite('browser', BROWSER_REPORT, browserSum, 'playwright', ['test']))
}

const passed = sums.reduce((sum, part) => sum + part.passed, 0)
const failures = sums.flatMap((part) => part.failures)
process.exitCode = failures.length === 0 ? 0 : 1
// The end of a log is often all that is kept of it.
for (const name of failures) console.log(`✗ ${name}`)
console.log(`${passed} passed, ${failures.length} failed`)

/** One command that counts as one test; its output is shown when it fails. */
async function check(promise: string, command: string, args: string[]): Promise<Sum> {
  const started = performance.now()
  const { code, output } = await execute(command, args, 'pipe')
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✓' : '✗'} ${promise} (${seconds} s)`)
  if (code !== 0) console.log(output)
  return code === 0 ? { passed: 1, failures: [] } : { passed: 0, failures: [promise] }
}

/** A runner with a report of its own; one that fails without a failed test counts as one. */
async function suite(
  name: string,
  report: string,
  read: (report: never) => Sum,
  command: string,
  args: string[],
): Promise<Sum> {
  const { code } = await execute(command, args, 'inherit')
  const { passed, failures } = readReport(report, read)
  console.log(`${name}: ${passed} passed, ${failures.length} failed`)
  const isBroken = code !== 0 && failures.length === 0
  return { passed, failures: isBroken ? [`${name} ended with ${code}`] : failures }
}

function readReport(file: string, read: (report: never) => Sum): Sum {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')) as never)
  } catch {
    return { passed: 0, failures: [`${file} can be read`] }
  }
}

function unitSum(report: {
  numPassedTests: number
  testResults: {
    name: string
    status: string
    assertionResults: { status: string; fullName: string }[]
  }[]
}): Sum {
  const failures = report.testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative('.', name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    // A file that cannot even be loaded has no tests to count.
    if (status === 'failed' && failed.length === 0) return [file]
    return failed.map(({ fullName }) => `${file} › ${fullName}`)
  })
  return { passed: report.numPassedTests, failures }
}

interface BrowserSuite {
  title: string
  specs: { title: string; tests: { status: string }[] }[]
  suites?: BrowserSuite[]
}

function browserSum(report: {
  stats: { expected: number; flaky: number }
  errors: { message?: string }[]
  suites: BrowserSuite[]
}): Sum {
  const { expected, flaky } = report.stats
  if (flaky > 0) console.log(`${flaky} passed only when tried again`)
  return {
    passed: expected + flaky,
    failures: [
      ...report.suites.flatMap((suite) => unexpectedIn(suite)),
      ...report.errors.map(({ message }) => message ?? 'an error of Playwright'),
    ],
  }
}

function unexpectedIn({ title, specs, suites = [] }: BrowserSuite): string[] {
  return [
    ...specs
      .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected'))
      .map((spec) => spec.title),
    ...suites.flatMap((suite) => unexpectedIn(suite)),
  ].map((name) => `${title} › ${name}`)
}

function execute(
  command: string,
  args: string[],
  output: 'pipe' | 'inherit',
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', output, output],
      env: { ...process.env, NO_COLOR: '1' },
    })
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk
    })
    child.once('error', (error) => resolve({ code: 1, output: error.message }))
    child.once('close', (code) => resolve({ code: code ?? 1, output: text }))
  })
}

async function inTurn(checks: (() => Promise<Sum>)[]): Promise<Sum[]> {
  const done: Sum[] = []
  for (const next of checks) done.push(await next())
  return done
}

import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { findOrInstallChromium } from '#tests/browser.ts'

/** `npm test`: everything there is to check, then one line with the sums. */

interface Sum {
  passed: number
  failed: number
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
  sums.push({ passed: 0, failed: 1 })
} else {
  process.env.E2E_CHROMIUM = chromium
  sums.push(await suite('browser', BROWSER_REPORT, browserSum, 'playwright', ['test']))
}

const passed = sums.reduce((sum, part) => sum + part.passed, 0)
const failed = sums.reduce((sum, part) => sum + part.failed, 0)
process.exitCode = failed === 0 ? 0 : 1
console.log(`${passed} passed, ${failed} failed`)

/** One command that counts as one test; its output is shown when it fails. */
async function check(promise: string, command: string, args: string[]): Promise<Sum> {
  const started = performance.now()
  const { code, output } = await execute(command, args, 'pipe')
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✓' : '✗'} ${promise} (${seconds} s)`)
  if (code !== 0) console.log(output)
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
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
  const sum = readReport(report, read)
  console.log(`${name}: ${sum.passed} passed, ${sum.failed} failed`)
  return code !== 0 && sum.failed === 0 ? { passed: sum.passed, failed: 1 } : sum
}

function readReport(file: string, read: (report: never) => Sum): Sum {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')) as never)
  } catch {
    return { passed: 0, failed: 1 }
  }
}

function unitSum(report: {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}): Sum {
  // A file that cannot even be loaded has no tests to count.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
}

function browserSum(report: {
  stats: { expected: number; unexpected: number; flaky: number }
  errors: unknown[]
}): Sum {
  const { expected, unexpected, flaky } = report.stats
  if (flaky > 0) console.log(`${flaky} passed only when tried again`)
  return { passed: expected + flaky, failed: unexpected + report.errors.length }
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

import { readArguments } from '#cli/arguments.ts'
import { run } from '#host/environment.ts'
import { apiChecks } from './check-deploy/api-checks.ts'
import { type Check, openDeploy, outcomeOf } from './check-deploy/check.ts'
import { pageChecks } from './check-deploy/page-checks.ts'
import { removeTests, staffChecks } from './check-deploy/staff-checks.ts'

const usage = 'npm run check-deploy -- https://www.example.com [--send you@example.com]'

const marks = { kept: '✓', broken: '✗', skipped: '–' } as const

/** For the owner: does a deploy keep its promises, and what is to be done where it does not? */
await run(async () => {
  const { values, positionals } = readArguments(usage, {
    words: 1,
    options: { send: { type: 'string' } },
  })
  const [address = ''] = positionals
  if (!/^https?:\/\/[^/]+\/?$/.test(address)) throw new Error(`Usage: ${usage}`)
  const deploy = openDeploy(new URL(address), {
    token: process.env.CHECK_TOKEN,
    sendTo: values.send,
  })
  // The remedies of single promises mislead if nothing answers.
  await deploy.get('/')
  const count = { kept: 0, broken: 0, skipped: 0 }
  const checks: Check[] = [...pageChecks, ...apiChecks, ...staffChecks]
  for (const check of checks) {
    const { name, state, text, remedy } = await outcomeOf(check, deploy)
    count[state] += 1
    console.log(`${marks[state]} ${name}: ${text}`)
    if (state === 'broken') console.log(`  → ${remedy}`)
  }
  for (const note of [await hiddenFromSearch(), await removeTests(deploy)])
    if (note) console.log(note)
  console.log(`${count.kept} kept, ${count.broken} broken, ${count.skipped} not checked`)
  if (count.broken > 0) process.exitCode = 1

  async function hiddenFromSearch(): Promise<string | undefined> {
    const home = await deploy.get('/').catch(() => undefined)
    const left = /(\d+) samples? (?:is|are) left/.exec(home?.text ?? '')?.[1]
    if (left) return `Search engines are kept out: ${left} samples are left (docs/owner.md).`
    return home?.header('x-robots-tag')?.includes('noindex')
      ? 'Search engines are kept out: this is a preview, or its build was one.'
      : undefined
  }
})

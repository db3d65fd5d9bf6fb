import { openHost } from '#tests/bench/stage.ts'
import { end } from '#tests/launch.ts'
import { parts } from './parts.ts'
import { findFirefox, openFirefox } from './stage.ts'

/** `npm run firefox -- [part …]`: the main promises of `tests/e2e`, which runs in Chromium, in Firefox. */

const named = process.argv.slice(2)
const unknown = named.filter((name) => !(name in parts))
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(', ')}`)
  console.error(`There are: ${Object.keys(parts).join(', ')}`)
  process.exit(1)
}
const executable = findFirefox()
if (!executable) {
  console.log('Skipped: this machine has no Firefox. On Debian: apt-get install firefox-esr')
  process.exit(0)
}

let kept = 0
let broken = 0
const promise = (sentence: string, isKept: boolean, found?: unknown): void => {
  if (isKept) kept += 1
  else broken += 1
  console.log(`  ${isKept ? '✓' : '✗'} ${sentence}`)
  if (!isKept && found !== undefined) console.log('   ', found)
}
const none = (sentence: string, found: readonly string[]): void =>
  promise(sentence, found.length === 0, found)

const host = await openHost()
const browser = await openFirefox(executable)
for (const [name, run] of Object.entries(parts)) {
  if (named.length > 0 && !named.includes(name)) continue
  console.log(`\n${name}`)
  try {
    await run({ browser, url: host.url, promise, none })
  } catch (error) {
    promise('it went to its end', false, error)
  }
}
console.log(`\n${await browser.version()}: ${kept} promises kept, ${broken} broken`)
await browser.close()
await end(host.process)
process.exit(broken === 0 ? 0 : 1)

import { join } from 'node:path'
import { openHost } from '#tests/bench/stage.ts'
import { chosenNames } from '#tests/chosen-names.ts'
import { end, newFolder } from '#tests/launch.ts'
import { firefox } from './firefox.ts'
import { parts } from './parts.ts'
import { webkit } from './webkit.ts'

/**
 * `npm run firefox -- [part …]`, `npm run webkit`: the main promises of `tests/e2e`, which runs in
 * Chromium, in another engine.
 */

const engines = {
  firefox: { start: firefox, packages: 'firefox-esr' },
  webkit: { start: webkit, packages: 'webkit2gtk-driver xvfb' },
}

// The npm script passes the engine as the first word.
const [engine, ...words] = process.argv.slice(2) as [keyof typeof engines, ...string[]]
const names = chosenNames(`npm run ${engine} -- [part …]`, Object.keys(parts), words)
const { start, packages } = engines[engine]
const browser = await start()
if (!browser) {
  console.log(`Skipped: this machine has no ${engine}. On Debian: apt-get install ${packages}`)
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

const folder = newFolder()
const host = await openHost({ DATA_DIR: folder })
for (const [name, run] of Object.entries(parts)) {
  if (!names.includes(name)) continue
  console.log(`\n${name}`)
  try {
    await run({ browser, url: host.url, mailbox: join(folder, 'mail'), promise, none })
  } catch (error) {
    promise('it went to its end', false, error)
  }
}
console.log(`\n${browser.name}: ${kept} promises kept, ${broken} broken`)
await browser.close()
await end(host.process)
process.exit(broken === 0 ? 0 : 1)

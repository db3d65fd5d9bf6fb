import { readFileSync, writeFileSync } from 'node:fs'
import { readArguments } from '#cli/arguments.ts'
import { limits } from '#contract/limits.ts'
import { run } from '#host/environment.ts'
import { makeFilter } from '#server/password/bloom-filter.ts'

/**
 * Makes the filter of known passwords from lists, one password a line. Only those count that the length
 * rule lets through.
 */
await run(async () => {
  const { positionals: files } = readArguments('npm run known-passwords -- FILE…', {
    words: [1, Infinity],
  })
  const known = new Set(
    files
      .flatMap((file) => readFileSync(file, 'utf8').split(/\r?\n/))
      .map((line) => line.normalize('NFC').toLowerCase())
      .filter((line) => [...line].length >= limits.password.min),
  )
  if (known.size === 0)
    throw new Error(
      `No line has ${limits.password.min} characters or more, so the list is left as it was.`,
    )
  const { hashes, bits } = makeFilter(known)
  const stored = { count: known.size, hashes, bits: Buffer.from(bits).toString('base64') }
  writeFileSync('src/server/password/known-passwords.json', `${JSON.stringify(stored)}\n`)
  console.log(`${known.size} passwords in ${bits.length} bytes.`)
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface LockEntry {
  optionalDependencies?: Record<string, string>
}

test('the lock file names every optional package, also those for other machines', () => {
  // `npm ci` refuses a lock without them; `npm install` drops those that it cannot fetch.
  const lock: { packages: Record<string, LockEntry> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  )
  const names = new Set(
    Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1)),
  )
  const wanted = Object.values(lock.packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies),
  )
  expect(wanted.filter((name) => !names.has(name))).toEqual([])
})

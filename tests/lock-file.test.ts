import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface LockEntry {
  optionalDependencies?: Record<string, string>
}

test('the lock file lists every optional package, including those for other platforms', () => {
  // `npm ci` refuses a lock file without them; `npm install` drops those that it cannot download.
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

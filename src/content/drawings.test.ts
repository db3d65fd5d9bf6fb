import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))

/** The values of `drawing`, however deep. */
const drawings = (value: unknown): string[] =>
  value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, inner]) =>
        key === 'drawing' ? [String(inner)] : drawings(inner),
      )
    : []

test.each([
  ['services', drawings([read('services.json'), read('home-services.json')])],
  ['decisions', drawings(read('work.json').map((work: { decisions: unknown }) => work.decisions))],
])('every name of a drawing in %s is a file', (folder, names) => {
  for (const name of names) {
    expect(existsSync(new URL(`../drawings/${folder}/${name}.svg`, import.meta.url)), name).toBe(
      true,
    )
  }
})

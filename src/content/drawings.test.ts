import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const text = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const read = (file: string) => JSON.parse(text(file))

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

test('drawings take their looks from classes that a style names', () => {
  const styles = globSync('../{styles,components}/**/*.{css,astro}', { cwd: import.meta.dirname })
  const named = new Set(styles.flatMap((file) => text(file).match(/(?<=\.)[a-z][\w-]*/g) ?? []))
  for (const file of globSync('../drawings/*/*.svg', { cwd: import.meta.dirname })) {
    const drawing = text(file)
    // The site's policy refuses inline styles.
    expect(drawing, file).not.toMatch(/<style|\sstyle=/)
    const used = [...drawing.matchAll(/class="([^"]*)"/g)].flatMap(([, list = '']) =>
      list.split(' '),
    )
    expect([file, used.filter((name) => !named.has(name))]).toEqual([file, []])
  }
})

test('drawings of pages name no currency', () => {
  const files = globSync('../drawings/*/*.svg', { cwd: import.meta.dirname })
  expect(files.length).toBeGreaterThan(20)
  const priced = files.filter((file) => /[$€£]\s?\d/.test(text(file)))
  expect(priced).toEqual([])
})

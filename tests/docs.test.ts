import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * Paths in backticks, as guides write them: from the root, or from `src` for short. Decisions keep the
 * paths of their day, and so do those of placeholders.
 */
const PATH = /`((?:src\/|tests\/|functions\/|drizzle\/|bench\/)?[\w.-]+(?:\/[\w.-]+)+)`/g

const roots = new Set(['src', 'tests', 'functions', 'drizzle', 'bench', ...readFolders('src')])

function readFolders(folder: string): string[] {
  return globSync(`${folder}/*/`).map((path) => path.split('/')[1] ?? '')
}

test('guides name files that exist', () => {
  const guides = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md')].filter(existsSync)
  expect(guides.length).toBeGreaterThan(5)
  const missing = guides.flatMap((guide) =>
    [...readFileSync(guide, 'utf8').matchAll(PATH)]
      .map(([, path = '']) => path)
      .filter((path) => roots.has(path.split('/')[0] ?? ''))
      // A site may do without articles.
      .filter((path) => !path.startsWith('src/content/blog'))
      .filter((path) => !existsSync(path) && !existsSync(`src/${path}`))
      .map((path) => `${guide}: ${path}`),
  )
  expect(missing).toEqual([])
})

test('the index of decisions lists each of them once', () => {
  const index = readFileSync('docs/decisions/README.md', 'utf8')
  const listed = [...index.matchAll(/\]\((\d{3}-[\w-]+\.md)\)/g)].map(([, file]) => file)
  const files = globSync('docs/decisions/[0-9]*.md').map((path) => path.split('/').at(-1))
  expect(listed.toSorted()).toEqual(files.toSorted())
})

test('each row of the ASVS that is judged names what shows it', () => {
  const rows = readFileSync('docs/asvs.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| \d+\.\d+\.\d+/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  expect(rows.length).toBeGreaterThan(100)
  const judged = rows.filter(([, , verdict]) => verdict !== '–')
  expect(judged.filter(([, , verdict = '']) => !/^(?:met|part|not met)$/.test(verdict))).toEqual([])
  expect(judged.filter(([, , , , evidence = '']) => !/`[^`]+`|\]\(/.test(evidence))).toEqual([])
})

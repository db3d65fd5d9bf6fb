import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { slug } from 'github-slugger'
import { expect, test } from 'vitest'
import { rights, roles } from '#contract/http/access.ts'
import { errorStatus } from '#contract/http/errors.ts'

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

test('links among documents lead to files and headings that exist', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md')]
  const headings = (file: string): string[] =>
    [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => slug(title))
  const broken = documents.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path = '', anchor]) => {
        const file = path ? join(dirname(document), path) : document
        return !existsSync(file) || (anchor && !headings(file).includes(anchor))
      })
      .map(([link]) => `${document}: ${link}`),
  )
  expect(broken).toEqual([])
})

test('the document of the API lists every right with its roles, and every error code', () => {
  const text = readFileSync('docs/api.md', 'utf8')
  const listed = [...text.matchAll(/^\| `(\w+\.\w+)` *\|(.+)\|$/gm)].map(
    ([, right, cells = '']) => [
      right,
      roles.filter((_, i) => cells.split('|')[i]?.trim() === 'yes'),
    ],
  )
  expect(Object.fromEntries(listed)).toEqual(rights)
  const codes = [...text.matchAll(/^\| (\d{3}) +\|(.+)\|$/gm)].flatMap(([, status, cells = '']) =>
    [...cells.matchAll(/`(\w+)`/g)].map(([, code]) => [code, Number(status)]),
  )
  expect(Object.fromEntries(codes)).toEqual(errorStatus)
})

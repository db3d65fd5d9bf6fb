import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishInChild } from '#host/publish-process.ts'
import { contentSecurityPolicy } from '#site/build/content-security-policy.ts'
import { readFinishing } from '#site/build/rewrite/finishing.ts'
import { isPublished, type Outcome, publish, type ReleasedFile } from '#site/publish.ts'
import type { Rendered } from '#site/render/site.ts'

/** A folder without `node_modules` and without sources, with what the build made. */
let folder = ''
let renderer = ''
let dist = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'publish-'))
  renderer = join(folder, 'renderer')
  dist = join(folder, 'dist')
  cpSync('.build/renderer', renderer, { recursive: true })
  cpSync('dist', dist, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true }))

const released = (outcome: Outcome) => {
  if (!isPublished(outcome)) throw new Error(JSON.stringify(outcome.problems))
  return outcome
}

const publishFrom = async (before: readonly ReleasedFile[]) =>
  released(await publishInChild({ dist, before }, { renderer }))

let drawn: ReturnType<typeof publishFrom> | undefined

/** The first release of the build, drawn once for all tests. */
const first = () => {
  drawn ??= publishFrom([])
  return drawn
}

const builtFiles = (): Map<string, string> => {
  const served = readdirSync('dist', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(html|xml|txt|webmanifest)$/.test(file))
    .filter((file) => !/^(admin|sitemap)/.test(file))
    .map((file) => [file, readFileSync(join('dist', file), 'utf8')] as const)
  const filled: Record<string, { html: string }> = JSON.parse(
    readFileSync('.build/server-pages.json', 'utf8'),
  )
  const serverPages = Object.entries(filled).map(
    ([name, { html }]) => [`${name}.html`, html] as const,
  )
  return new Map([...served, ...serverPages])
}

test('a release of unchanged content is the build, byte for byte, without packages or sources', async () => {
  const { files, changed, headers } = await first()
  const built = builtFiles()
  expect(files.map(({ file }) => file).toSorted()).toEqual([...built.keys()].toSorted())
  const different = [...built].filter(
    ([file, text]) => files.find((one) => one.file === file)?.text !== text,
  )
  expect(different.map(([file]) => file)).toEqual([])
  expect(changed).toHaveLength(files.length)
  expect(headers).toBe(readFileSync('dist/_headers', 'utf8'))
}, 300_000)

test('publishing twice changes nothing, and only what differs is finished and compressed', async () => {
  const { files } = await first()
  const again = await publishFrom(files)
  expect([again.changed, again.removed, again.compressed.size]).toEqual([[], [], 0])
  expect(again.files).toEqual(files)

  const old = files
    .map((one) => (one.file === 'faq.html' ? { ...one, rendered: 'other', text: 'other' } : one))
    .concat({ file: 'blog/gone.html', rendered: '', text: '' })
  const next = await publishFrom(old)
  expect([next.changed, next.removed]).toEqual([['faq.html'], ['blog/gone.html']])
  expect([...next.compressed.keys()]).toEqual(['faq.html'])
  expect(next.files).toEqual(files)
}, 300_000)

test('the policy of a release allows every inline block of its pages', async () => {
  const { files, headers, serverPages } = await first()
  const policy = /Content-Security-Policy: (.*)/.exec(headers)?.[1] ?? ''
  const hashes = (text: string): string[] => text.match(/'sha256-[^']+'/g) ?? []
  for (const { file, text } of files.filter((one) => one.file.endsWith('.html'))) {
    const allowed = hashes(serverPages[file.replace(/\.html$/, '')]?.csp ?? policy)
    expect(hashes(contentSecurityPolicy(text)).filter((hash) => !allowed.includes(hash))).toEqual(
      [],
    )
  }
}, 300_000)

async function* pages(...rendered: Rendered[]) {
  yield* rendered
}

const page = (title: string, body: string, status = 200): Rendered => ({
  file: `${title}.html`,
  status,
  text: `<title>${title}</title><meta name="description" content="About ${title}"><link rel="canonical" href="https://site.test/${title}"><h1>${title}</h1>${body}`,
})

const publishPages = (...rendered: Rendered[]): Promise<Outcome> =>
  publish({
    rendered: pages(...rendered),
    finishing: readFinishing('dist', { templates: '', islandElement: '', minified: {} }),
    before: [],
    fixed: [],
    isFile: () => false,
  })

test('a page that fails, a broken link or a skipped heading leaves the live release alone', async () => {
  const outcomes = await Promise.all([
    publishPages(page('one', ''), page('two', '', 500)),
    publishPages(page('one', '<a href="/two">Two</a>')),
    publishPages(page('one', '<h3>Skipped</h3>')),
    publishPages(page('one', '<p id="a"></p><p id="a"></p>')),
  ])
  expect(outcomes.map(({ problems }) => problems)).toEqual([
    [{ path: '/two', problem: 'cannot be drawn (status 500)' }],
    [{ path: '/one', problem: 'links to /two, which does not exist' }],
    [{ path: '/one', problem: 'skips from h1 to h3' }],
    [{ path: '/one', problem: 'uses the id a twice' }],
  ])
  expect(outcomes.some(isPublished)).toBe(false)
})

test('a page over its weight is a notice with the number of bytes', async () => {
  const text = Array.from({ length: 6_000 }, (_, n) => (n * 2_654_435_761).toString(36)).join(' ')
  const { problems, notices } = await publishPages(page('long', `<p>${text}</p>`))
  expect(problems).toEqual([])
  expect(notices).toEqual([
    { path: '/long', problem: expect.stringMatching(/^weighs \d+ bytes in brotli, over 14600$/) },
  ])
})

test('an inline script that the build did not make is refused', async () => {
  await expect(publishPages(page('one', '<script>alert(1)</script>'))).rejects.toThrow(
    'none of this build',
  )
})

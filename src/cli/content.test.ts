import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { writeContent, writePictures } from '#cli/content-files.ts'
import { startRenderer } from '#host/render-process.ts'
import { publishDocuments } from '#server/content/publish.ts'
import { addImage, readImages } from '#server/content/store/images.ts'
import { ownArticle } from '#server/content/testing.ts'
import { sql } from '#server/db/drizzle.ts'
import { connectRemote } from '#server/db/remote.ts'
import { newPostgres } from '#server/db/testing.ts'
import { seed } from '#site/seed.ts'
import { buildCopy, keepPages } from '#tests/build-copy.ts'
import { functionSettings } from '#tests/functions.ts'
import { newDataDir, newFolder, runCommand, runHere, startHost } from '#tests/processes.ts'

const files = (folder: string) =>
  globSync('**/*.{json,mdx}', { cwd: folder }).map((file) => [
    file,
    readFileSync(join(folder, file), 'utf8'),
  ])

/** A copy of the project with content of its own, drawn by the build of this one. */
const copyProject = (): string => {
  const copy = newFolder()
  for (const name of ['src', 'package.json']) cpSync(name, join(copy, name), { recursive: true })
  for (const name of ['.build', 'dist', 'drizzle', 'node_modules'])
    symlinkSync(resolve(name), join(copy, name))
  return copy
}

const pushFrom = (copy: string, env: Record<string, string>) =>
  promisify(execFile)(process.execPath, ['src/cli/content-push.ts'], {
    cwd: copy,
    env: { ...process.env, ...env },
  })

test('files with a problem are not pushed, and the problem names its file', async () => {
  const copy = copyProject()
  const file = join(copy, 'src/content/hiring.json')
  const judged: { id: string }[] = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify(judged.filter(({ id }) => id !== 'other')))
  const DATA_DIR = newFolder()
  await expect(pushFrom(copy, { DATA_DIR })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('src/content/hiring.json, other: There is no other.'),
  })
  expect(readdirSync(DATA_DIR)).toEqual([])
})

test('a mistake in the MDX or at the head of an article is told with its file and line', async () => {
  const copy = copyProject()
  const env = { DATA_DIR: newFolder() }
  const file = 'src/content/blog/broken.mdx'
  for (const [text, line] of [
    ['---\ntitle: One\n---\n\nA <b\n', 5],
    ['---\ntitle: One\ndate: : Two\n---\n\nText\n', 3],
  ] as const) {
    writeFileSync(join(copy, file), text)
    const stderr = expect.stringMatching(new RegExp(`Error: ${file}, .*\\b${line}:\\d`))
    await expect(pushFrom(copy, env)).rejects.toMatchObject({ code: 1, stderr })
  }
})

test('pushed files are release 1, and pulling them changes no byte, of a running host too', async () => {
  const env = { DATA_DIR: newDataDir() }
  const before = files('src/content')
  expect(await runCommand('content-pull', [], env)).toMatchObject({
    code: 0,
    output: expect.stringContaining('Release 0'),
  })
  expect(await runCommand('content-push', [], env)).toMatchObject({
    code: 0,
    output: expect.stringContaining('Release 1: the files are live'),
  })
  expect(await runCommand('content-push', [], env)).toMatchObject({
    output: expect.stringContaining('Release 1: the files say what is live'),
  })
  for (const isRunning of [false, true]) {
    if (isRunning) await startHost(env)
    expect(await runCommand('content-pull', [], env)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Release 1'),
    })
    expect(files('src/content')).toEqual(before)
  }
  const running = await runCommand('content-push', [], env)
  expect(running.code).toBe(1)
})

test('files are pushed to a database elsewhere only with the address of the site', async () => {
  const env = { DATA_DIR: newFolder(), DATABASE_URL: 'postgres://nobody@db.test:1/none' }
  expect(await runHere('content-push', [], env)).toMatchObject({
    code: 1,
    output: expect.stringContaining('SITE_URL is not set'),
  })
  expect(
    await runHere('content-push', [], { ...env, SITE_URL: 'https://fledge.test' }),
  ).toMatchObject({
    code: 1,
    output: expect.stringContaining('The database at DATABASE_URL cannot be used'),
  })
})

test('documents are written in the order of the file, whatever order the database keeps', () => {
  const folder = newFolder()
  cpSync('src/content', folder, { recursive: true })
  const backwards = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(backwards)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, item]) => [key, backwards(item)]),
    )
  }
  const [first, ...others] = seed.faq
  if (!first) throw new Error('There is no question')
  const changed = { ...first, data: { ...first.data, question: 'Is this “new”?' } }
  const wanted = backwards({ ...seed, faq: [changed, ...others] }) as typeof seed
  expect(writeContent(folder, wanted)).toEqual(['faq.json'])
  const former = readFileSync('src/content/faq.json', 'utf8')
  const written = readFileSync(join(folder, 'faq.json'), 'utf8')
  expect(written).toBe(former.replace(first.data.question, 'Is this “new”?'))
  expect(writeContent(folder, wanted)).toEqual([])
})

test('articles are written as MDX: what a file says already stays byte for byte', () => {
  const folder = newFolder()
  cpSync('src/content', folder, { recursive: true })
  const [first, second] = [ownArticle('first'), ownArticle('second')]
  const others = seed.blog
  const written = (blog: typeof seed.blog) => writeContent(folder, { ...seed, blog })
  expect(written([first, second, ...others])).toEqual(['blog/first.mdx', 'blog/second.mdx'])
  expect(written([first, second, ...others])).toEqual([])
  const changed = { ...first, data: { ...first.data, title: 'Another title' } }
  expect(written([changed, ...others])).toEqual(['blog/first.mdx', 'blog/second.mdx'])
  expect(readFileSync(join(folder, 'blog/first.mdx'), 'utf8')).toContain('title: Another title')
  expect(written([changed, ...others])).toEqual([])
})

test('a build with a database that lacks a migration says that it draws the files', async () => {
  const { url } = await newPostgres('blank')
  const { output } = await buildCopy((copy) => keepPages(copy), { DATABASE_URL: url })
  expect(output.match(/The database lacks a migration/g)).toHaveLength(1)
})

test('a build with a database draws the release that is live at its end, whose files are pulled into a folder with its pictures', async () => {
  const { url } = await newPostgres('migrated')
  const { db, close } = await connectRemote({ kind: 'pg', url })
  onTestFinished(close)
  const renderer = startRenderer('http://127.0.0.1:4321')
  if (!renderer) throw new Error('The site is not built')
  onTestFinished(renderer.stop)
  const [first, ...others] = seed.faq
  if (!first) throw new Error('There is no question')
  const changed = { ...first, data: { ...first.data, question: 'Is this in the database?' } }
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .webp()
    .toBuffer()
  const hash = createHash('sha256').update(picture).digest('hex')
  const stored = { hash, alt: 'Red', width: 9, height: 9, body: picture.toString('base64') }
  await addImage(db, stored, null)
  const article = ownArticle('first')
  const figure = {
    type: 'figure' as const,
    attrs: { src: `/media/${hash}`, alt: 'Red', width: 9, height: 9 },
  }
  const body = { type: 'doc' as const, content: [figure] }
  const wanted = {
    ...seed,
    faq: [changed, ...others],
    blog: [{ ...article, data: { ...article.data, body } }, ...seed.blog],
  }
  const release = await publishDocuments({ db, log: () => {} }, renderer, wanted, {
    note: 'Another question',
    via: 'command',
  })
  expect(release).toMatchObject({ n: 1, state: 'live', by: null, note: 'Another question' })
  let root = ''
  const publishMeanwhile = async () => {
    await vi.waitUntil(() => existsSync(join(root, 'dist/faq.html')), { timeout: 200_000 })
    await db.execute(sql`insert into content_releases (n, state, documents, changes, moved, live_at)
      select 2, 'published', documents, '[]', '{"/careers/former": "/careers"}', now()
      from content_releases`)
  }
  const [{ dist, output }] = await Promise.all([
    buildCopy(
      (copy) => {
        root = copy
        keepPages(copy, 'faq')
      },
      { DATABASE_URL: url },
    ),
    publishMeanwhile(),
  ])
  expect(output).toContain('The build draws release 1')
  expect(output).toContain('The build draws release 2')
  expect(output).toContain(`The files differ from it: faq/${first.id}, blog/${article.id}.`)
  expect(readFileSync(join(dist, 'faq.html'), 'utf8')).toContain('Is this in the database?')
  expect(readFileSync(join(dist, '_redirects'), 'utf8')).toContain('/careers/former /careers 301!')

  const folder = newFolder()
  const pull = async () =>
    (await runCommand('content-pull', [folder], { DATABASE_URL: url })).output
  const { pathname, password } = new URL(url)
  const names = `faq.json, blog/${article.id}.mdx, media/${hash}.webp`
  const pulled = await pull()
  expect(pulled).toContain(`Reads the database ${pathname.slice(1)} on `)
  if (password) expect(pulled).not.toContain(password)
  expect(pulled).toContain(`Release 2: written to ${names}.`)
  expect(readFileSync(join(folder, `media/${hash}.webp`))).toEqual(picture)
  expect(readFileSync(join(folder, `blog/${article.id}.mdx`), 'utf8')).toContain(`/media/${hash}`)
  expect(files('src/content')).toHaveLength(files(folder).length - 1)

  // Pushed from a copy of the project into another database, they bring the picture along.
  const copy = copyProject()
  cpSync(folder, join(copy, 'src/content'), { recursive: true })
  const another = await newPostgres('migrated')
  const { stdout } = await pushFrom(copy, functionSettings(another.url))
  expect(stdout).toContain('Release 1: the files are live')
  expect(stdout).toContain('Pages on Netlify show it once somebody opens Site')
  const pushed = await connectRemote({ kind: 'pg', url: another.url })
  onTestFinished(pushed.close)
  expect(await readImages(pushed.db, [hash])).toEqual({ [hash]: stored.body })

  writeContent(folder, seed)
  expect(writePictures(folder, seed, {})).toEqual([`media/${hash}.webp`])
  expect(files(folder)).toEqual(files('src/content'))
})

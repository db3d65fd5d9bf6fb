import sharp from 'sharp'
import { expect, onTestFinished } from 'vitest'
import { startRenderer } from '#host/render-process.ts'
import { signInAs } from '#server/auth/testing.ts'
import { sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { test as databaseTest } from '#server/db/testing.ts'
import { cleanUp } from '#server/privacy/store/retention.ts'
import { type TestApi, testApi } from '#server/testing.ts'
import { readPicture } from '#site/publish/picture.ts'

/** Images for the site's documents, read by the real decoder. */

// biome-ignore lint/suspicious/noExplicitAny: answers are read as they come
type Json = Record<string, any>

const test = databaseTest.extend('api', async ({ db }) => testApi(db, { readPicture }))

const drawing = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#d43d00' } })

const send = async (api: TestApi, token: string, file: Blob | undefined, alt?: string) => {
  const form = new FormData()
  if (file) form.set('file', file, 'picture')
  if (alt !== undefined) form.set('alt', alt)
  const response = await api.request('/api/content/images', { method: 'POST', token, body: form })
  return { status: response.status, body: (await response.json()) as Json }
}

const blob = (bytes: Uint8Array, type: string) => new Blob([new Uint8Array(bytes)], { type })

test('an image of each format is stored without metadata and served for good', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'editor')
  for (const format of ['png', 'jpeg', 'webp', 'avif'] as const) {
    const picture = drawing(2_000, 1_000).withExif({ IFD0: { Artist: 'A private name' } })
    const bytes = await picture[format]().toBuffer()
    const { status, body } = await send(api, token, blob(bytes, `image/${format}`), 'A surface')
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: expect.any(String),
      width: 1_600,
      height: 800,
      alt: 'A surface',
      url: expect.stringMatching(/^\/media\/[0-9a-f]{64}$/),
    })
    const served = await api.request(body.data.url)
    expect(served.headers.get('Content-Type')).toBe('image/webp')
    expect(served.headers.get('Cache-Control')).toContain('immutable')
    const known = { 'If-None-Match': `"other", W/${served.headers.get('ETag')}` }
    const again = await api.request(body.data.url, { headers: known })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const content = Buffer.from(await served.arrayBuffer())
    expect(content.toString('latin1')).not.toContain('A private name')
    expect(await sharp(content).metadata()).toMatchObject({ format: 'webp', width: 1_600 })
  }
  const { data } = (await (await api.request('/api/content/images', { token })).json()) as {
    data: unknown[]
  }
  expect(data.length).toBeGreaterThan(0)
  expect((await api.request(`/media/${'0'.repeat(64)}`)).status).toBe(404)
})

test('a small image keeps its size, and turns as its camera was held', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'editor')
  const bytes = await drawing(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const { body } = await send(api, token, blob(bytes, 'image/jpeg'), 'A turned surface')
  expect(body.data).toMatchObject({ width: 20, height: 40 })
  const again = await send(api, token, blob(bytes, 'image/jpeg'), 'Another description')
  expect(again.body.data).toMatchObject({ id: body.data.id, alt: 'Another description' })
})

test('an image is made as small as an article takes it, on both sides', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'editor')
  const bytes = await drawing(40, 20_000).png().toBuffer()
  const { body } = await send(api, token, blob(bytes, 'image/png'), 'A long page')
  expect(body.data).toMatchObject({ width: 20, height: 10_000 })
})

test('the host reads images in a process of its own', async () => {
  const renderer = startRenderer('http://127.0.0.1:4321')
  if (!renderer) throw new Error('The site is not built')
  onTestFinished(renderer.stop)
  const bytes = await drawing(1_700, 850).avif({ effort: 0 }).toBuffer()
  expect(await renderer.readPicture(bytes)).toMatchObject({ width: 1_600, height: 800 })
  expect(await renderer.readPicture(Buffer.from('no image'))).toBeUndefined()
})

test('what is no image, too large or without a description is refused', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'editor')
  const png = await drawing(40, 20).png().toBuffer()
  const refused = async (file: Blob | undefined, alt?: string) => {
    const { status, body } = await send(api, token, file, alt)
    return [status, ...Object.keys(body.fields ?? {})]
  }
  expect(await refused(blob(png, 'image/png'))).toEqual([400, 'alt'])
  expect(await refused(blob(png, 'image/png'), ' ')).toEqual([400, 'alt'])
  expect(await refused(blob(png, 'image/png'), 'x'.repeat(301))).toEqual([400, 'alt'])
  expect(await refused(undefined, 'No file')).toEqual([400, 'file'])
  const gif = await drawing(40, 20).gif().toBuffer()
  expect(await refused(blob(gif, 'image/gif'), 'A GIF')).toEqual([415])
  expect(await refused(blob(gif, 'image/png'), 'A GIF by another name')).toEqual([400, 'file'])
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'
  expect(await refused(new Blob([svg], { type: 'image/svg+xml' }), 'An SVG')).toEqual([415])
  expect(await refused(new Blob([svg], { type: 'image/png' }), 'An SVG')).toEqual([400, 'file'])
  expect(await refused(blob(png.subarray(0, 60), 'image/png'), 'Cut')).toEqual([400, 'file'])
  const bomb = await drawing(5_000, 3_000).png().toBuffer()
  expect(await refused(blob(bomb, 'image/png'), 'Too many pixels')).toEqual([413])
  expect(await refused(blob(Buffer.alloc(5_300_000), 'image/png'), 'Too long')).toEqual([413])
  expect(await refused(blob(Buffer.alloc(5_900_000), 'image/png'), 'Too long')).toEqual([413])
  const json = await api.request('/api/content/images', { token, body: { alt: 'A' } })
  expect(json.status).toBe(415)
  const reviewer = await signInAs(api.deps, 'reviewer')
  expect((await send(api, reviewer.token, blob(png, 'image/png'), 'A')).status).toBe(403)
})

test('an image that nothing refers to is removed after 30 days', async ({ api }) => {
  const { token } = await signInAs(api.deps, 'editor')
  const { db } = api.deps
  const add = async (width: number): Promise<string> => {
    const bytes = await drawing(width, 20).png().toBuffer()
    return (await send(api, token, blob(bytes, 'image/png'), 'A surface')).body.data.url
  }
  const [used, unused] = [await add(30), await add(31)]
  const value = { question: 'Which?', answer: [`See ${used}`], category: 'process' }
  await api.request('/api/content/faq', { token, body: { value } })
  expect(await cleanUp(db, 'images')).toBe(0)
  await rows(db, sql`update content_images set at = now() - interval '31 days' returning id`)
  expect(await cleanUp(db, 'images')).toBe(1)
  expect((await api.request(used)).status).toBe(200)
  expect((await api.request(unused)).status).toBe(404)
})

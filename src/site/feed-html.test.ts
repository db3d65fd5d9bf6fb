import { expect, test } from 'vitest'
import { feedHtml } from './feed-html.ts'

const site = new URL('https://site.example')

test('a feed contains an article’s text and captions without its drawings and hooks', async () => {
  const html = await feedHtml(
    '<!DOCTYPE html><figure data-astro-cid-x><div class="ground"><svg viewBox="0 0 1 1"><text>in the drawing</text></svg></div><figcaption>What to see</figcaption></figure><style>p{}</style>',
    site,
  )
  expect(html).toContain('<figcaption>What to see</figcaption>')
  expect(html).not.toMatch(/svg|in the drawing|style|class|data-|doctype/i)
})

test('links of the site become absolute URLs, others stay', async () => {
  const html = await feedHtml(
    '<p><a href="/blog">a</a><a href="https://x.example/y">b</a></p>',
    site,
  )
  expect(html).toContain('href="https://site.example/blog"')
  expect(html).toContain('href="https://x.example/y"')
})

test('places of the article and its pictures are found from a feed reader', async () => {
  const html = await feedHtml(
    '<p><a href="#end">a</a><a href="mailto:a@x.example">b</a></p><img src="/media/c" alt="">',
    new URL('/blog/one', site),
  )
  expect(html).toContain('href="https://site.example/blog/one#end"')
  expect(html).toContain('href="mailto:a@x.example"')
  expect(html).toContain('src="https://site.example/media/c"')
})

test('code stays unchanged', async () => {
  const html = await feedHtml(
    '<pre class="language-html"><code><span class="token tag">&lt;p&gt;</span> &amp;amp;</code></pre>',
    site,
  )
  expect(html).toBe('<pre><code>&lt;p&gt; &amp;amp;</code></pre>')
})

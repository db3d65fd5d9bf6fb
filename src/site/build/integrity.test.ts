import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { withIntegrity } from './integrity.ts'

test('a script file that a page names carries the hash of what it holds; inline blocks stay', () => {
  const file = Buffer.from('home()')
  const hash = createHash('sha384').update(file).digest('base64')
  const html = '<script>a()</script><script type="module" src="/_astro/home.js"></script>'
  expect(withIntegrity(html, () => file)).toBe(
    `<script>a()</script><script type="module" src="/_astro/home.js" integrity="sha384-${hash}"></script>`,
  )
})

import { parse } from 'node-html-parser'
import { expect, test } from 'vitest'
import { withSmallIslands } from './finish-page.ts'

const script = '<script>customElements.define("astro-island", class {})</script>'
const island = (uid: string) =>
  `<astro-island uid="${uid}" prefix="r5" component-url="/_astro/tags.js" props="{&quot;text&quot;:[0,&quot;It's \u003e &amp;&quot;]}" ssr client="visible" opts="{&quot;name&quot;:&quot;Tags&quot;,&quot;value&quot;:true}" await-children><p>Text</p><!--astro:end--></astro-island>`

test('an island keeps what it is made from, whatever folder it was built in', () => {
  const [one, other] = ['1lplfr', 'Z2oG83A'].map((uid) =>
    withSmallIslands(script + island(uid), 'element()'),
  )
  expect(one).toBe(other)
  const element = parse(one ?? '').querySelector('astro-island')
  expect(JSON.parse(element?.getAttribute('props') ?? '')).toEqual({ text: [0, "It's > &"] })
  expect(JSON.parse(element?.getAttribute('opts') ?? '')).toEqual({ value: true })
  expect(element?.getAttribute('prefix')).toBe('r5')
  expect(element?.hasAttribute('ssr')).toBe(true)
  expect(element?.innerHTML).toBe('<p>Text</p>')
})

test('a page without islands stays as it is; one whose islands would never start is refused', () => {
  expect(withSmallIslands('<p>Text</p>', '')).toBe('<p>Text</p>')
  expect(() => withSmallIslands(island('1'), '')).toThrow('not the script')
})

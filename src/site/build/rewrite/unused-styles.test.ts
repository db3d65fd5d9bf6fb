import { expect, test } from 'vitest'
import { namesOf, scriptWords, withoutUnused, withoutUnusedProperties } from './unused-styles.ts'

const names = new Set(['h1', 'p', '.plate', '.wide', '.held'])

test('rules for classes and elements that a page does not have are left out, all others stay in order', () => {
  const css =
    '@layer tokens,base;h1{-webkit-text-decoration-color:red;margin:0}h1,h4{top:0}.plate{color:red}.gone{color:red}.gone .plate,.plate.wide{top:0}p.plate:hover{top:0}.plate>.gone,table.plate{top:0}#main:target-current{top:0}@media print{.gone{top:0}}\n@media print{.gone{top:0}p{top:0}}@keyframes gone{to{top:0}}'
  expect(withoutUnused(css, names)).toBe(
    '@layer tokens,base;h1{margin:0}h1{top:0}.plate{color:red}.plate.wide{top:0}p.plate:hover{top:0}#main:target-current{top:0}@media print{p{top:0}}@keyframes gone{to{top:0}}',
  )
})

test('what a selector asks in parentheses, and what stands in strings, does not remove a rule', () => {
  const css =
    '.plate:not(.gone){top:0}:is(.gone,.wide) .plate{top:0}.plate:has(:is(.gone,p)){top:0}.plate[data-of=gone]{top:0}.plate :is(.wide,p:nth-child(2),.gone){top:0}.plate:before{content:"}.gone{"}'
  expect(withoutUnused(css, names)).toBe(css)
})

test('a class that only a script gives counts as the page’s', () => {
  const page = '<p class="plate wide"><script>root.classList.add("arriving")</script>'
  const known = namesOf(page, scriptWords(page, ['x="tag "+(y?"held":"")']))
  for (const name of ['p', '.plate', '.wide', '.arriving', '.tag', '.held']) {
    expect(known).toContain(name)
  }
  expect(known).not.toContain('.gone')
})

test('custom properties that nothing reads are left out, also those that only such a one reads', () => {
  const page = (root: string) => `<style>:root{${root}}p{color:var(--ink-2)}</style><p>`
  const properties =
    'color-scheme:light;--ink:red;--ink-2:blue;--deep:var(--night);--night:navy;--sea:light-dark(a,b)'
  expect(withoutUnusedProperties(page(properties), '<path fill="var(--sea)"/>')).toBe(
    page('color-scheme:light;--ink-2:blue;--sea:light-dark(a,b)'),
  )
})

import { expect, test } from 'vitest'
import { classesOf, withoutUnused } from './unused-styles.ts'

const classes = new Set(['plate', 'wide', 'held'])

test('rules for classes that a page does not have are left out, all others stay in order', () => {
  const css =
    '@layer tokens,base;h1{margin:0}.plate{color:red}.gone{color:red}.gone .plate,.plate.wide{top:0}.plate>.gone{top:0}@media print{.gone{top:0}}@media print{.gone{top:0}p{top:0}}@keyframes gone{to{top:0}}'
  expect(withoutUnused(css, classes)).toBe(
    '@layer tokens,base;h1{margin:0}.plate{color:red}.plate.wide{top:0}@media print{p{top:0}}@keyframes gone{to{top:0}}',
  )
})

test('what a selector asks in parentheses, and what stands in strings, does not remove a rule', () => {
  const css =
    '.plate:not(.gone){top:0}:is(.gone,.wide) .plate{top:0}.plate:has(:is(.gone,p)){top:0}.plate:before{content:"}.gone{"}'
  expect(withoutUnused(css, classes)).toBe(css)
})

test('a class that only a script gives counts as the page’s', () => {
  const known = classesOf(
    '<p class="plate wide"><script>root.classList.add("arriving")</script>',
    'x="tag "+(y?"held":"")',
  )
  for (const name of ['plate', 'wide', 'arriving', 'tag', 'held']) expect(known).toContain(name)
  expect(known).not.toContain('gone')
})

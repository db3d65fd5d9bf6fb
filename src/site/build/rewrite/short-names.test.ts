import { expect, test } from 'vitest'
import { withShortNames } from './finish-page.ts'

test('compound class names are short, the most used first, and words stay', () => {
  const page =
    '<style>.card-grid .b,.text-bold:hover,.card-grid-2{top:.5em}</style><ul class="card-grid b"><li class="text-bold"><li class="text-bold wide">.text-bold</ul>'
  expect(withShortNames(page, new Set(['a']))).toBe(
    '<style>.d .b,.c:hover,.card-grid-2{top:.5em}</style><ul class="d b"><li class="c"><li class="c wide">.text-bold</ul>',
  )
})

test('a name that a script of the page mentions stays', () => {
  const page = '<style>.is-down{top:0}</style><p class="is-down"></p>'
  expect(withShortNames(page, new Set(['is-down']))).toBe(page)
})

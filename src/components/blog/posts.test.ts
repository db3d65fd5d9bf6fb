import { expect, test } from 'vitest'
import { categoryId } from './posts.ts'

test('a category’s id ends no style sheet and no selector', () => {
  expect(categoryId('Two Words')).toBe('two-words')
  expect(categoryId('UI/UX & C++')).toBe('ui-ux-c-')
  expect(categoryId('Café für alle')).toBe('café-für-alle')
  expect(categoryId('3D Printing')).toBe('c-3d-printing')
  expect(categoryId('a</style><img src=x>{}')).toBe('a-style-img-src-x-')
})

import { expect, test } from 'vitest'
import { content, withContent } from './content.ts'
import { inWords, pageWords } from './page-words.ts'

test('headings count what there is, in words', () => {
  const faq = content().faq.slice(0, 3)
  withContent({ ...content(), faq }, () => {
    expect(pageWords('faq').description).toMatch(/^Three questions /)
    expect(pageWords('faq').intro).toContain('Three answers')
  })
  expect([inWords(0), inWords(12), inWords(13)]).toEqual(['no', 'twelve', '13'])
})

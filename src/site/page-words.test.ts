import { expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { content, withContent, withPrices } from './content.ts'
import { inWords, pageWords } from './page-words.ts'

test('texts count the entries of a list in words, and name the hours of an answer', () => {
  const { pages, ...others } = content()
  const lost = { title: '{Count:faq} left', text: 'Of {count:faq}, in {hours} hours' }
  const faq = others.faq.slice(0, 3)
  withContent({ ...others, faq, pages: { ...pages, lost } }, () => {
    const text = `Of three, in ${limits.promiseHours} hours`
    expect(pageWords('lost')).toEqual({ title: 'Three left', text })
  })
  expect([inWords(0), inWords(12), inWords(13)]).toEqual(['no', 'twelve', '13'])
})

test('no text writes out the hours of the promise', () => {
  expect(JSON.stringify(content())).not.toMatch(/answer within \d+ hours/i)
  expect(withPrices('Within {hours} hours')).toBe(`Within ${limits.promiseHours} hours`)
})

import { expect, test } from 'vitest'
import { foreignLinks } from './foreign-links.ts'

const found = (text: string, drafted = text, template = '') =>
  foreignLinks(text, {
    drafts: [drafted],
    templates: [{ text: template }],
    ownHosts: ['fledge.test'],
  })

test('links of a draft that are neither ours nor in a template are found in every form', () => {
  const text =
    'Pay at https://evil.test/pay?x=1. See (www.evil.test), evil.example/a, evil.xn--p1ai and evil.example! Ours: https://fledge.test/faq, fledge.test.'
  expect(found(text)).toEqual([
    'https://evil.test/pay?x=1',
    'www.evil.test',
    'evil.example/a',
    'evil.xn--p1ai',
    'evil.example',
  ])
})

test('what a template or the person has written needs no confirmation', () => {
  expect(found('See https://docs.test/a.', undefined, 'Our guide: https://docs.test/a')).toEqual([])
  expect(found('See https://mine.test', 'A draft without links')).toEqual([])
  expect(found('We use Node.js, e.g. with 3.5 GB; write to ada@people.test')).toEqual([])
})

test('a link whose path was changed is still that of the draft', () => {
  expect(found('See https://evil.test/b', 'See https://evil.test/a')).toEqual([
    'https://evil.test/b',
  ])
})

test('a host that only begins or ends like ours is foreign', () => {
  expect(found('https://fledge.test.evil.example https://fledge.test@evil.example')).toEqual([
    'https://fledge.test.evil.example',
    'https://fledge.test@evil.example',
  ])
})

import { expect, test } from 'vitest'
import { match } from './match.ts'

const found = (query: string, text: string): string | undefined => {
  const hit = match(query, text)
  return hit?.at.map((index) => Array.from(text)[index]).join('')
}

const best = (query: string, texts: string[]): string | undefined =>
  texts
    .map((text) => ({ text, score: match(query, text)?.score ?? -1 }))
    .sort((a, b) => b.score - a.score)[0]?.text

test('a query is found at the beginning of words, within them, and by first letters', () => {
  expect(found('con', 'Mark as Contacted')).toBe('Con')
  expect(found('tact', 'Mark as Contacted')).toBe('tact')
  expect(found('mac', 'Mark as Contacted')).toBe('MaC')
  expect(found('gcon', 'Go to Consultations')).toBe('GCon')
  expect(found('con mark', 'Mark as Contacted')).toBe('MarkCon')
  expect(found('zoe', 'Zoë Sample')).toBe('Zoë')
  expect(found('', 'Anything')).toBe('')
})

test('what is not there is not found', () => {
  for (const query of ['x', 'mark x', 'detcatnoc', 'mrk'])
    expect(match(query, 'Mark as Contacted'), query).toBeNull()
})

test('a whole word goes before a beginning, and a beginning before the rest', () => {
  const texts = ['Recall', 'Deals, all of them', 'Allow', 'All']
  expect(best('all', texts)).toBe('All')
  expect(best('all', texts.slice(0, 3))).toBe('Deals, all of them')
  expect(best('all', ['Recall', 'Allow'])).toBe('Allow')
})

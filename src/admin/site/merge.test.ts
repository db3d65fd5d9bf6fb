import { expect, test } from 'vitest'
import { merged } from './merge.ts'

const base = { title: 'A', text: 'B', list: ['1', '2'], part: { a: 1, b: 2 } }

test('changes of two editors to different fields are both kept', () => {
  const mine = { ...base, title: 'Mine', list: ['mine', '2'] }
  const theirs = { ...base, list: ['1', 'theirs'], part: { a: 1, b: 3 } }
  expect(merged(base, mine, theirs)).toEqual({
    value: { ...base, title: 'Mine', list: ['mine', 'theirs'], part: { a: 1, b: 3 } },
    clashes: [],
  })
})

test('a field that both have changed is a clash with both values', () => {
  const mine = { ...base, part: { a: 5, b: 2 }, list: ['1'] }
  const theirs = { ...base, part: { a: 6, b: 2 }, list: ['1', '2', '3'] }
  const { value, clashes } = merged(base, mine, theirs)
  expect(value).toEqual(mine)
  expect(clashes).toEqual([
    { path: ['list'], mine: ['1'], theirs: ['1', '2', '3'] },
    { path: ['part', 'a'], mine: 5, theirs: 6 },
  ])
})

test('an item that one moves while the other edits it is a clash of the whole list', () => {
  const item = (question: string) => ({ question, answer: `${question}!` })
  const list = [item('A'), item('B'), item('C')]
  const edited = [{ ...item('A'), question: 'Mine' }, item('B'), item('C')]
  // The database gives the keys in another order.
  const moved = [{ answer: 'B!', question: 'B' }, item('A'), item('C')]
  const movedAndEdited = [moved[0], { ...item('A'), answer: 'New' }, item('C')]
  for (const theirs of [moved, movedAndEdited])
    for (const [mine, others] of [
      [edited, theirs],
      [theirs, edited],
    ])
      expect(merged({ list }, { list: mine }, { list: others })).toEqual({
        value: { list: mine },
        clashes: [{ path: ['list'], mine, theirs: others }],
      })
  expect(merged({ list }, { list }, { list: moved }).clashes).toEqual([])
})

test('a field that one removes and the other leaves is gone, and the same change is no clash', () => {
  const { text: _, ...mine } = { ...base, title: 'Same' }
  expect(merged(base, mine, { ...base, title: 'Same' })).toEqual({ value: mine, clashes: [] })
})

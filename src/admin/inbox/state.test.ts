import { expect, test } from 'vitest'
import { createInboxStore } from './state.ts'

const storeOn = (listKey: string, first?: string) => {
  const store = createInboxStore()
  store.dispatch({ type: 'loaded', listKey, first })
  return store
}

test('another list begins with nothing selected and opens its own first record', () => {
  const { dispatch, get } = storeOn('one', 'a')
  dispatch({ type: 'toggled', listKey: 'one', id: 'b' })
  dispatch({ type: 'loaded', listKey: 'one', first: 'c' })
  expect(get()).toMatchObject({ first: 'a', selected: new Set(['b']) })
  dispatch({ type: 'loaded', listKey: 'two', first: 'd' })
  expect(get()).toMatchObject({ first: 'd', selected: new Set() })
  dispatch({ type: 'closed', listKey: 'two' })
  dispatch({ type: 'loaded', listKey: 'two', first: 'd' })
  expect(get().first).toBeUndefined()
})

test('a record that a change moves leaves its place to its successor, one that arrivals push keeps it', () => {
  const { dispatch, get } = storeOn('one')
  const draw = (place: number, order = 'due') => {
    dispatch({ type: 'drawn', id: 'a', place, order })
    return [get().open.place, get().open.hasMoved]
  }
  expect(draw(3)).toEqual([3, false])
  expect(draw(5)).toEqual([5, false])
  expect(draw(40, 'answered')).toEqual([5, true])
  expect(draw(5)).toEqual([5, false])
  expect(draw(-1)).toEqual([5, true])
})

import { expect, test } from 'vitest'
import { type Given, givenTo, widestGaps } from './scores.ts'

const criteria = ['writes', 'work', 'learns'].map((key) => ({
  key,
  label: key,
  anchors: ['none', 'some', 'much', 'most'],
}))

const score = (by: string | null, writes: number, work: number, learns?: number): Given => ({
  by,
  criteria: { writes, work, ...(learns ? { learns } : {}) },
  comment: null,
})

test('the criteria that people differ on most are named, from two apart', () => {
  const named = (...scores: Given[]) => widestGaps(criteria, scores).map(({ key }) => key)
  expect(named(score(null, 4, 4, 3), score('ada', 3, 4, 1))).toEqual(['learns'])
  expect(named(score(null, 4, 1), score('ada', 1, 4), score('ben', 2, 2))).toEqual([
    'writes',
    'work',
  ])
  expect(named(score(null, 4, 4), score('ada', 3, 3))).toEqual([])
  expect(named(score(null, 4, 4))).toEqual([])
  expect(named()).toEqual([])
})

test('a value is shown with all who gave it', () => {
  const [writes] = criteria
  const scores = [score(null, 4, 1), score('ada', 4, 1), score('ben', 2, 1)]
  expect(writes && givenTo(writes, scores).map((all) => all.map(({ by }) => by))).toEqual([
    [],
    ['ben'],
    [],
    [null, 'ada'],
  ])
})

import { expect, test } from 'vitest'
import { nextStatus } from './kind-view.ts'
import { views } from './views.ts'

test('the next status leads to a yes and stops there: no single key rejects', () => {
  const ways = Object.values(views).map((view) => {
    const way: string[] = []
    for (let at = view.statuses[0]; at; at = nextStatus(view, at.value) ?? undefined)
      way.push(at.value)
    return way
  })
  expect(ways).toEqual([
    ['pending', 'contacted', 'completed'],
    ['new', 'reviewing', 'interviewed', 'accepted'],
    ['new', 'handled'],
  ])
})

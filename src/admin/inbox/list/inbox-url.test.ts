import { expect, test } from 'vitest'
import { views } from '../../record/kinds/views.ts'
import { movedSearchText, searchIn } from './inbox-url.ts'

const read = (search: string, hash = '') => {
  const { q, ...filter } = searchIn(views.consultations, { search, hash })
  return { ...filter, ...(q === undefined ? {} : { q }) }
}

test('an inbox’s URL is read', () => {
  const search = 'box=spam&status=pending&assignee=2024&from=2026-11-20&to=2026-11-21T09:30:00Z'
  expect(read(`${search}&sort=name&id=1`, 'q=Ada%20L')).toEqual({
    box: 'spam',
    status: 'pending',
    assignee: '2024',
    from: '2026-11-20',
    to: '2026-11-21T09:30:00Z',
    sort: 'name',
    id: '1',
    q: 'Ada L',
  })
})

test('what the server would refuse of a URL is ignored', () => {
  for (const search of [
    'box=attic',
    'status=handled',
    'sort=size',
    'position=pilot',
    `assignee=${'a'.repeat(41)}`,
    `id=${'1'.repeat(61)}`,
    ...['assignee', 'id', 'box', 'status', 'sort', 'position'].map((name) => `${name}=%00`),
    ...['from', 'to'].flatMap((end) =>
      ['%00', 'yesterday', '2026-02-30', '2026-11', '20.11.2026', '2026-11-20T25:00'].map(
        (day) => `${end}=${day}`,
      ),
    ),
    'unknown=1',
    '',
    '%',
  ])
    expect(read(search), search).toEqual({})
})

test('a choice that the site has no more is kept, for records that name it', () => {
  expect(read('service=former-package')).toEqual({ service: 'former-package' })
  expect(read('service=Former%20package')).toEqual({})
})

test('a search text is kept without what the server refuses of it', () => {
  expect(read('', 'q=%00')).toEqual({})
  expect(read('', 'q=%20')).toEqual({})
  expect(read('', 'q=Ada%09Lovelace%0A')).toEqual({ q: 'Ada Lovelace' })
  expect(read('', 'q=100%')).toEqual({ q: '100%' })
  const long = `${'a'.repeat(199)}😀😀`
  const kept = `${'a'.repeat(199)}😀`
  expect(read('', `q=${encodeURIComponent(long)}`)).toEqual({ q: kept })
  const old = { path: '/admin/contacts', search: `q=${encodeURIComponent(long)}&id=1`, hash: '' }
  expect(movedSearchText(old)).toBe(`/admin/contacts?id=1#q=${encodeURIComponent(kept)}`)
})

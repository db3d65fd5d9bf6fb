import { expect, test } from 'vitest'
import { returnRoute } from './return-route.ts'

const origin = 'https://fledge.test'

test('a route inside the admin is returned to, with its filters', () => {
  expect(returnRoute('/admin/consultations?status=pending', origin)).toBe(
    '/admin/consultations?status=pending',
  )
  expect(returnRoute('/admin', origin)).toBe('/admin')
})

test('a route outside the admin, on another host or of another scheme becomes the dashboard', () => {
  for (const from of [
    undefined,
    '',
    '/',
    '/administrator',
    '/admin/../blog',
    '//evil.test/admin/users',
    '/\\evil.test/admin',
    'https://evil.test/admin/users',
    'javascript:alert(1)//admin/',
    '/admin/login?from=/admin/login',
  ])
    expect(returnRoute(from, origin)).toBe('/admin/dashboard')
})

import { expect, test } from 'vitest'
import { clientIp, foldIp } from './ip.ts'

test('one client has one spelling', () => {
  expect(foldIp('203.0.113.7')).toBe('203.0.113.7')
  expect(foldIp('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(foldIp('::ffff:cb00:7107')).toBe('203.0.113.7')
  expect(foldIp('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(foldIp('2001:0DB8:1:2::9')).toBe('2001:db8:1:2::/64')
  expect(foldIp('2001:db8:1:0:3:4:5:6')).toBe('2001:db8:1::/64')
  expect(foldIp('::1')).toBe('::/64')
  expect(foldIp('64:ff9b::203.0.113.7')).toBe('64:ff9b::/64')
  expect(foldIp('fe80::1%eth0')).toBe('fe80::/64')
})

test('text that is not an IP is not read as one', () => {
  for (const text of ['', 'localhost', '127.1', '0x7f.0.0.1', '1', '203.0.113.7:80', '::1/64'])
    expect(foldIp(text), text).toBeUndefined()
})

test('a forwarded IP counts only behind a trusted proxy, and only the last entry', () => {
  expect(clientIp('127.0.0.1', '198.51.100.1', false)).toBe('127.0.0.1')
  expect(clientIp('127.0.0.1', '198.51.100.1, 203.0.113.7', true)).toBe('203.0.113.7')
  expect(clientIp('127.0.0.1', '198.51.100.1, someone', true)).toBe('127.0.0.1')
  expect(clientIp('127.0.0.1', undefined, true)).toBe('127.0.0.1')
})

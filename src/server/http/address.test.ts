import { expect, test } from 'vitest'
import { clientAddress, foldAddress } from './address.ts'

test('one client has one spelling', () => {
  expect(foldAddress('203.0.113.7')).toBe('203.0.113.7')
  expect(foldAddress('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(foldAddress('::ffff:cb00:7107')).toBe('203.0.113.7')
  expect(foldAddress('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(foldAddress('2001:0DB8:1:2::9')).toBe('2001:db8:1:2::/64')
  expect(foldAddress('::1')).toBe('0:0:0:0::/64')
  expect(foldAddress('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  expect(foldAddress('localhost')).toBeUndefined()
  expect(foldAddress('')).toBeUndefined()
})

test('a forwarded address counts only behind a trusted proxy, and only its last entry', () => {
  expect(clientAddress('127.0.0.1', '198.51.100.1', false)).toBe('127.0.0.1')
  expect(clientAddress('127.0.0.1', '198.51.100.1, 203.0.113.7', true)).toBe('203.0.113.7')
  expect(clientAddress('127.0.0.1', '198.51.100.1, someone', true)).toBe('127.0.0.1')
  expect(clientAddress('127.0.0.1', undefined, true)).toBe('127.0.0.1')
})

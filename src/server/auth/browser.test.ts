import { expect, test } from 'vitest'
import { browserLabel } from './device.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test('the common browsers and systems are told apart', () => {
  const labels = {
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/150.0.0.0 Safari/537.36`]:
      'Chrome on Windows',
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0`]:
      'Edge on Windows',
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/150.0.0.0 Safari/537.36 OPR/120.0.0.0`]:
      'Opera on Linux',
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0':
      'Firefox on Linux',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15':
      'Safari on macOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1':
      'Safari on iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/150.0.0.0 Mobile/15E148 Safari/604.1':
      'Chrome on iPhone',
    [`Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`]:
      'Samsung Internet on Android',
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/150.0.0.0 Safari/537.36`]:
      'Chrome on ChromeOS',
    'curl/8.15.0': 'Unknown browser',
    'Something (Linux)': 'Unknown browser on Linux',
  }
  for (const [userAgent, label] of Object.entries(labels))
    expect(browserLabel(userAgent)).toBe(label)
})

test('a browser that says nothing has no label', () => {
  expect(browserLabel(null)).toBeNull()
  expect(browserLabel('')).toBeNull()
})

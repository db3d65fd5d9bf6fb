import { createHash } from 'node:crypto'

/** First match wins: browsers that are built on others also carry the others' names. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const firstOf = (list: typeof browsers, userAgent: string): string | undefined =>
  list.find(([pattern]) => pattern.test(userAgent))?.[1]

/** A short label such as "Chrome on Windows", by which people tell their own sessions apart. */
export const browserLabel = (userAgent: string | null): string | null => {
  if (!userAgent) return null
  const browser = firstOf(browsers, userAgent)
  const system = firstOf(systems, userAgent)
  if (!browser) return system ? `Unknown browser on ${system}` : 'Unknown browser'
  return system ? `${browser} on ${system}` : browser
}

/**
 * Devices are known again by the client's random id, or without one by the kind of browser. Only
 * the random id is hard to guess, so only it has a count of failures of its own.
 */

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')

export const namedDevice = (device: string | undefined): string | null =>
  device === undefined ? null : hash(`device:${device}`)

export const deviceKey = (named: string | null, browser: string | null): string =>
  named ?? hash(`browser:${browser ?? ''}`)

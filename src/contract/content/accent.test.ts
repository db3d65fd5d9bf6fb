import { expect, test } from 'vitest'
import { accentOf } from './accent.ts'

test('any accent can be read in both themes, and keeps its hue', () => {
  const hues = [
    '#f55a00',
    '#ffff00',
    '#000000',
    '#ffffff',
    '#0000ff',
    '#00ff88',
    '#7a1f5c',
    '#808080',
  ]
  for (const accent of hues)
    for (const { name, contrast, least } of accentOf(accent).contrasts)
      expect(contrast, `${accent}, ${name}`).toBeGreaterThanOrEqual(least - 0.05)
})

test('an accent that can be read stays as it is, and the built-in one needs no style', () => {
  const seed = accentOf('#f55a00')
  expect([seed.hex, seed.css, seed.moved]).toEqual(['#f55a00', undefined, []])
  expect(accentOf('#0b6e4f').hex).toBe('#0b6e4f')
  expect(accentOf('#0b6e4f').css).toContain('--accent:light-dark(oklch(')
})

test('an accent that one theme cannot show says which, and what it shows instead', () => {
  expect(accentOf('#ffee00').moved).toEqual([
    { theme: 'light', hex: expect.stringMatching(/^#[0-9a-f]{6}$/) },
  ])
  // A bright accent is not washed out on dark ground.
  expect(accentOf('#ffff00').moved.map(({ theme }) => theme)).toEqual(['light'])
  expect(accentOf('#ffff00').dark).toMatch(/^#f[0-9a-f]f[0-9a-f][0-9][0-9a-f]$/)
  expect(accentOf('#ffffff').moved.map(({ theme }) => theme)).toEqual(['light'])
  expect(accentOf('#101040').moved.map(({ theme }) => theme)).toEqual(['dark'])
})

import { expect, test } from 'vitest'
import { asTemplate } from './placeholder-values.ts'

test('a template holds placeholders for the values, and leaves words that contain one', () => {
  const values = { name: 'Al', service: 'SEO (yearly)', position: '', link: '{link}' }
  expect(asTemplate('Dear Al, Also: Al’s SEO (yearly) at {link}, Al.', values)).toBe(
    'Dear {name}, Also: {name}’s {service} at {link}, {name}.',
  )
  expect(asTemplate('李雷你好，李雷', { ...values, name: '李雷' })).toBe('{name}你好，{name}')
})

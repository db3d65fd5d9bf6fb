import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lightened } from './without-schemas.ts'

test('of an endpoint the method and the path are left, and of unused schemas nothing has to be', () => {
  const code = `const text = z.string().check(z.minLength(1))
export const output = z.object({ text })
export const send = endpoint({ method: 'POST', path: '/api/x', summary: 'Send', body: z.object({ text }), output, status: 201 })
export const labels = { text: 'Text' }`
  const light = lightened(code)
  expect(light).toContain("method: 'POST', path: '/api/x'")
  expect(light).toContain('status: 201')
  expect(light).not.toMatch(/Send|body: z|, output,/)
  expect(light).toContain('const text = /* @__PURE__ */ (() => z.string().check(z.minLength(1)))()')
  expect(light).toContain("labels = { text: 'Text' }")
})

test('no code for the browser uses a schema', () => {
  const files = globSync('src/{admin,islands,ui,client}/**/*.{ts,tsx}')
  expect(files.length).toBeGreaterThan(100)
  const using = files.filter((file) => /^import (?!type ).*'zod/m.test(readFileSync(file, 'utf8')))
  expect(using).toEqual([])
})

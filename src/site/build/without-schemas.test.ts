import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lightened, source } from './without-schemas.ts'

test('of an endpoint the method and the path are left, and of unused schemas nothing has to be', () => {
  const code = `const text = z.string().check(z.minLength(1))
export const output = z.object({ text })
export const send = endpoint('POST /api/x', { summary: 'Send', body: z.object({ text }), output, status: 201 })
export const labels = { text: 'Text' }`
  const light = lightened(code)
  expect(light).toContain("endpoint('POST /api/x', {")
  expect(light).toContain('status: 201')
  expect(light).not.toMatch(/Send|body: z|, output,/)
  expect(light).toContain('const text = /* @__PURE__ */ (() => z.string().check(z.minLength()))()')
  expect(light).toContain("labels = { text: 'Text' }")
})

test('in the browser a schema that is run throws', async () => {
  const z = await import(`data:text/javascript,${encodeURIComponent(source)}`)
  const schema = z.object({ text: z.string().check(z.minLength(1)) })
  for (const name of ['parse', 'safeParse', 'parseAsync', 'safeParseAsync', 'decode'])
    for (const run of [schema[name], schema.shape.text[name], z[name]])
      expect(() => run(schema, {}), name).toThrow('The browser has no schemas')
})

/** Modules that a file gets at run time: types are erased. */
const loaded = (code: string): string[] =>
  [
    ...code.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^'"]*?\bfrom\s*)?['"]([^'"]+)['"]/gm),
    ...code.matchAll(/\bimport\(\s*['"`]([^'"`]+)['"`]/g),
  ].map(([, name = '']) => name)

test('every way to import a module is seen', () => {
  const code = `import * as a from 'zod/mini'
import b from "zod"
import {
  c,
} from 'zod/v4'
export * from "zod/v4-mini"
export { d } from 'zod/v3'
import 'zod/locales'
import type * as z from 'zod/v4/core'
const e = await import("zod/v4/mini")`
  expect(loaded(code).toSorted()).toEqual([
    'zod',
    'zod/locales',
    'zod/mini',
    'zod/v3',
    'zod/v4',
    'zod/v4-mini',
    'zod/v4/mini',
  ])
})

test('no code for the browser imports a schema library', () => {
  const files = globSync('src/{admin,islands,ui,client}/**/*.{ts,tsx}')
  expect(files.length).toBeGreaterThan(100)
  const using = files.filter((file) =>
    loaded(readFileSync(file, 'utf8')).some((name) => /^zod(?:$|\/)/.test(name)),
  )
  expect(using).toEqual([])
})

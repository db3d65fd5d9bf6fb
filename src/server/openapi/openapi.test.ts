import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'vitest'
import { may, type Role, roles } from '#contract/http/access.ts'
import { routes } from '#server/app.ts'
import { test, testApi } from '#server/testing.ts'
import { content } from '#site/content.ts'
import type { OpenApiDocument } from './document.ts'

test('anybody can read the API as a valid OpenAPI 3.1 document', async ({ api }) => {
  const response = await api.request('/api/openapi.json')
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
  const document = (await response.json()) as Record<string, unknown>
  expect(document.openapi).toMatch(/^3\.1\./)
  const validator = new Validator()
  expect(await validator.validate(document)).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

test('the document holds every call, with who may make it', async ({ api }) => {
  const response = await api.request('/api/openapi.json')
  const { paths } = (await response.json()) as OpenApiDocument
  const ids: string[] = []
  const calls = routes.filter(({ endpoint }) => endpoint.path.startsWith('/api/'))
  expect(calls.length).toBeGreaterThan(0)
  for (const { endpoint } of calls) {
    const methods = paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]
    for (const method of [endpoint.method, endpoint.also]) {
      if (!method) continue
      const name = `${method} ${endpoint.path}`
      const operation = methods?.[method.toLowerCase() as Lowercase<typeof method>]
      expect(operation?.summary, name).toBe(endpoint.summary)
      expect(operation?.security, name).toEqual(
        endpoint.access === 'public' ? [] : [{ bearer: [] }],
      )
      const { access } = endpoint
      const who = (role: Role) => access !== 'public' && may(role, access)
      for (const role of roles)
        expect(operation?.description?.includes(` ${role}`), name).toBe(who(role))
      if (access !== 'public')
        expect(operation?.description).toContain(`Scope of a token: ${endpoint.scope ?? 'none'}.`)
      ids.push(operation?.operationId ?? '')
    }
  }
  expect(new Set(ids).size).toBe(ids.length)
  expect(Object.values(paths).flatMap((methods) => Object.keys(methods))).toHaveLength(ids.length)
})

test('optional fields of a body are not required', async ({ api }) => {
  const response = await api.request('/api/openapi.json')
  const { paths } = (await response.json()) as OpenApiDocument
  const bodyOf = (path: string) =>
    paths[path]?.post?.requestBody?.content['application/json']?.schema
  expect(bodyOf('/api/auth/register')?.required).toEqual(['username', 'email', 'password'])
  expect(bodyOf('/api/consultations')?.required).toEqual([
    'name',
    'email',
    'phone',
    'message',
    'preferredDate',
  ])
  expect(bodyOf('/api/contacts')?.properties?.message).toMatchObject({
    minLength: 1,
    maxLength: 5_000,
  })
})

test('an id of a path is a UUID, a token is none, and a body may be optional', async ({ api }) => {
  const response = await api.request('/api/openapi.json')
  const { paths } = (await response.json()) as OpenApiDocument
  const parameter = (path: string) => paths[path]?.get?.parameters?.[0]?.schema
  expect(parameter('/api/contacts/{id}')).toEqual({ type: 'string', format: 'uuid' })
  expect(parameter('/api/status/{token}')).toEqual({ type: 'string' })
  const isNeeded = (path: string) => paths[path]?.post?.requestBody?.required
  expect(isNeeded('/api/contacts')).toBe(true)
  expect(isNeeded('/api/status/{token}/withdraw')).toBe(false)
})

test('an answer that is no JSON is a text, and an agent’s notification gets none', async ({
  api,
}) => {
  const response = await api.request('/api/openapi.json')
  const { paths } = (await response.json()) as OpenApiDocument
  const texts = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses }) =>
      Object.values(responses).flatMap((answer) =>
        'content' in answer
          ? Object.entries(answer.content ?? {}).filter(([type]) => type.startsWith('text/'))
          : [],
      ),
    ),
  )
  expect(texts.map(([type]) => type)).toEqual(expect.arrayContaining(['text/csv', 'text/html']))
  for (const [type, { schema }] of texts) expect(schema, type).toEqual({ type: 'string' })
  const taken = paths['/api/mcp']?.post?.responses
  expect(taken?.['202']).toEqual({ description: 'For a notification: taken' })
})

test('the document says what the site says now', async ({ db }) => {
  const { brand, ...rest } = content()
  const named = (name: string, careers: boolean) =>
    testApi(db, {
      content: { ...rest, brand: { ...brand, name, features: { ...brand.features, careers } } },
    })
  for (const [name, careers] of [
    ['Before', true],
    ['After', false],
  ] as const) {
    const answer = await named(name, careers).request('/api/openapi.json')
    const { info, paths } = (await answer.json()) as OpenApiDocument
    expect([info.title, '/api/applications' in paths]).toEqual([`${name} API`, careers])
  }
})

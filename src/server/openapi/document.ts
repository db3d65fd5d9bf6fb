import * as z from 'zod/mini'
import { rights } from '#contract/http/access.ts'
import type { Endpoint, Method } from '#contract/http/endpoint.ts'
import { errorStatus } from '#contract/http/errors.ts'
import { limits } from '#contract/limits.ts'

interface Schema {
  [keyword: string]: unknown
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
}

const described = (
  schema: z.ZodMiniType,
  io: 'input' | 'output',
  adjust: (node: Schema) => void,
): Schema => {
  const override = ({ jsonSchema }: { jsonSchema: object }) => adjust(jsonSchema as Schema)
  const { $schema: _, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override })
  return whole as Schema
}

/** Unknown fields of a request are allowed and ignored. */
const sent = (schema: z.ZodMiniType): Schema =>
  described(schema, 'input', (node) => {
    // A field with a default is optional.
    const { properties = {}, required } = node
    if (!required) return
    const needed = required.filter((name) => properties[name]?.default === undefined)
    if (needed.length > 0) node.required = needed
    else delete node.required
  })

const answered = (schema: z.ZodMiniType): Schema =>
  described(schema, 'output', (node) => {
    // New fields may be added to an answer without a new version of the API.
    delete node.additionalProperties
    if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum
    if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum
  })

const inEnvelope = ({ properties = {}, required = [] }: Schema): Schema => ({
  type: 'object',
  properties: { success: { type: 'boolean', const: true }, ...properties },
  required: ['success', ...required],
})

const enveloped = (schema: z.ZodMiniType): Schema => {
  const answer = answered(schema)
  return answer.anyOf ? { anyOf: answer.anyOf.map(inEnvelope) } : inEnvelope(answer)
}

const failure: Schema = {
  type: 'object',
  properties: {
    success: { type: 'boolean', const: false },
    code: { type: 'string', enum: Object.keys(errorStatus) },
    message: { type: 'string', description: 'One message for people' },
    error: {
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      description: 'The same message, or every message where there are several',
    },
    fields: {
      type: 'object',
      description: 'Faulty fields, each with its messages',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    data: { description: 'On a version conflict: the record as it is stored' },
    requestId: { type: 'string', format: 'uuid' },
  },
  required: ['success', 'code', 'message', 'error', 'requestId'],
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const operationId = (method: Method, path: string): string =>
  method.toLowerCase() +
  path
    .split(/[/.]/)
    .slice(2)
    .map((part) => (part.startsWith(':') ? `By${capital(part.slice(1))}` : capital(part)))
    .join('')

const whoMay = ({ access, stepUp, scope }: Endpoint): string =>
  access === 'public'
    ? 'Anybody.'
    : `Roles: ${rights[access].join(', ')}. Scope of a token: ${scope ?? 'none'}.${stepUp ? ' Needs a step-up.' : ''}`

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  description:
    'The same call under the same key is made once and gets the first answer again for 24 hours',
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKey },
}

const operation = (endpoint: Endpoint, method: Method) => {
  const { path, access, query, body, output, form, takes, repeatable, produces, tokenOnly } =
    endpoint
  const queries = query ? Object.entries(sent(query).properties ?? {}) : []
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
      name,
      in: 'path' as const,
      required: true,
      schema: { type: 'string', ...(name === 'id' ? { format: 'uuid' } : {}) },
    })),
    ...queries.map(([name, schema]) => ({ name, in: 'query' as const, schema })),
    ...(form || repeatable ? [idempotencyKey] : []),
  ]
  const bodySchema =
    takes === 'multipart/form-data'
      ? {
          type: 'object',
          properties: { file: { type: 'string', format: 'binary' }, alt: { type: 'string' } },
          required: ['file', 'alt'],
        }
      : takes
        ? { type: 'string', ...(takes === 'text/plain' ? {} : { format: 'binary' }) }
        : body && sent(body)
  const media = form
    ? ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
    : [takes ?? 'application/json']
  const success = {
    description: endpoint.status === 201 ? 'Created' : 'Done',
    ...(endpoint.status !== 204 && {
      content: {
        [produces ?? 'application/json']: {
          schema: produces ? answered(output) : enveloped(output),
        },
      },
    }),
  }
  return {
    operationId: operationId(method, path),
    tags: [path.split('/')[2]?.replace(/\..*$/, '') ?? ''],
    summary: endpoint.summary,
    description: whoMay(endpoint),
    security: access === 'public' ? [] : [{ bearer: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(bodySchema && {
      requestBody: {
        required: endpoint.bodyOptional !== true,
        content: Object.fromEntries(media.map((type) => [type, { schema: bodySchema }])),
      },
    }),
    responses: {
      [endpoint.status ?? 200]: success,
      ...(form && {
        303: {
          description: 'For a form’s content type: to the page that says thanks',
          headers: { Location: { schema: { type: 'string', format: 'uri-reference' } } },
        },
      }),
      ...(tokenOnly ? { 202: { description: 'For a notification: taken' } } : {}),
      default: { $ref: '#/components/responses/Failure' },
    },
  }
}

export const openApiDocument = (
  endpoints: readonly Endpoint[],
  { title, version }: { title: string; version: string },
) => {
  const paths: Record<string, Partial<Record<Lowercase<Method>, ReturnType<typeof operation>>>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    for (const method of [endpoint.method, endpoint.also])
      if (method)
        paths[path][method.toLowerCase() as Lowercase<Method>] = operation(endpoint, method)
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description: 'Forms, staff calls and accounts. JSON in UTF-8.' },
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Failure: failure },
      responses: {
        Failure: {
          description: 'An error',
          headers: {
            'Retry-After': {
              description: 'Seconds, with 429 and 503',
              schema: { type: 'integer' },
            },
          },
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
        },
      },
    },
  }
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>

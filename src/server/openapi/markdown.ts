import { type Role, rights, roles } from '#contract/http/access.ts'
import { errorStatus } from '#contract/http/errors.ts'
import type { OpenApiDocument, Operation, Schema } from './document.ts'

/** The API's reference as Markdown, made from the OpenAPI document and the text below. */

const introduction = `JSON in UTF-8, \`Cache-Control: no-store\`, an \`X-Request-Id\` on every answer, no CORS headers. The
same as an OpenAPI 3.1 document: \`GET /api/openapi.json\`. This page is made from it by
\`npm run docs:api\`.

- Success: \`{"success": true, "data": …, "meta"?: {…}}\`
- Failure: \`{"success": false, "code": "…", "message": "…", "error": "…" or ["…"], "fields"?: {…}, "requestId": "…"}\`

Checks run in this order: 404 path, 405, 401, 403 (\`forbidden\`, \`password_change_required\`,
\`second_factor_required\`, \`step_up_required\`), 413, 415, 400 not JSON, 404 id, 400 fields, 409. A call
with a body or a change of state and \`Sec-Fetch-Site: cross-site\` is a 403 right after 405. HEAD answers
as GET. Ids are UUIDv7, times ISO 8601 UTC of the database's clock. Text is trimmed and NFC-normalised and
counted in code points; lengths below are code points. Unknown fields are ignored.

A token goes into \`Authorization: Bearer …\`. It names a session that is read at every call and ends 12
hours after the sign-in, after 2 hours without use, or when somebody ends it.

The three public forms also take \`application/x-www-form-urlencoded\` and \`multipart/form-data\`, and answer
those with HTML.

Calls marked so take an \`Idempotency-Key\` of 1 to 255 visible ASCII characters: the same caller, path, key
and body get the first answer again for 24 hours, and the change is made once. Another body under the
same key is a 409. Refused calls leave the key free. The key is looked up after 401, 403 and the reading
of the body, before the 404 of an id.`

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const table = (head: string[], lines: string[][]): string =>
  [head, head.map(() => '---'), ...lines]
    .map((line) => `| ${line.map(cell).join(' | ')} |`)
    .join('\n')

const codes = (): string =>
  table(
    ['status', 'codes'],
    Object.entries(Object.groupBy(Object.entries(errorStatus), ([, status]) => String(status))).map(
      ([status, found = []]) => [status, found.map(([code]) => `\`${code}\``).join(', ')],
    ),
  )

const mayTable = (): string =>
  table(
    ['right', ...roles],
    Object.entries(rights).map(([right, may]: [string, readonly Role[]]) => [
      `\`${right}\``,
      ...roles.map((role) => (may.includes(role) ? 'yes' : '–')),
    ]),
  )

const code = (value: unknown): string =>
  `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

const range = (least: number | undefined, most: number | undefined, unit: string): string[] => {
  if (least === undefined && most === undefined) return []
  if (least === undefined || least === 0)
    return most === undefined ? [] : [`at most ${most}${unit}`]
  return [most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`]
}

/** A short description of a schema. */
const kindOf = (schema: Schema): string => {
  const { type, format, items, anyOf, properties } = schema
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum) return schema.enum.map(code).join(', ')
  if (anyOf) return anyOf.map(kindOf).join(' or ')
  if (items) return `list of ${kindOf(items)}`
  if (properties) {
    const names = Object.keys(properties)
    return names.length > 0 ? `object of ${names.map(code).join(', ')}` : 'empty object'
  }
  if (type === undefined) return 'anything'
  return format ? `${format}` : [type].flat().join(' or ')
}

const about = (schema: Schema): string =>
  [
    ...(schema.type || !schema.description ? [kindOf(schema)] : []),
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minItems, schema.maxItems, ' entries'),
    ...range(schema.minimum, schema.maximum, ''),
    ...(schema.default === undefined ? [] : [`${code(schema.default)} by default`]),
    ...(schema.description ? [schema.description] : []),
  ].join('; ')

const fieldTable = ({ properties = {}, required = [] }: Schema): string =>
  table(
    ['field', 'required', 'what'],
    Object.entries(properties).map(([name, schema]) => [
      `\`${name}\``,
      required.includes(name) ? 'yes' : '',
      about(schema),
    ]),
  )

const isNull = ({ type }: Schema): boolean => type === 'null'

/** An answer's fields with their types, as an outline. */
const sketch = (schema: Schema, indent = ''): string => {
  if (schema.anyOf?.some(({ properties }) => properties) && !schema.anyOf.some(isNull))
    return schema.anyOf.map((one) => sketch(one, indent)).join(`\n${indent}or\n${indent}`)
  if (schema.items) {
    const { properties } = schema.items
    return properties
      ? `[${sketch(schema.items, indent)}]`
      : `[${kindOf(schema.items)}]`.replaceAll('`', '')
  }
  const entries = Object.entries(schema.properties ?? {})
  if (entries.length === 0) return schema.properties ? '{}' : about(schema).replaceAll('`', '')
  const inner = `${indent}  `
  const lines = entries.map(
    ([name, value]) =>
      `${inner}${name}${schema.required?.includes(name) ? '' : '?'}: ${sketch(value, inner)}`,
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}

const answers = ({ responses }: Operation): string[] =>
  Object.entries(responses).flatMap(([status, response]) => {
    if (!('content' in response) || !response.content) return []
    return Object.entries(response.content).map(([media, { schema }]) =>
      media === 'application/json'
        ? `Answers ${status}:\n\n\`\`\`text\n${sketch(schema)}\n\`\`\``
        : `Answers ${status} with \`${media}\`.`,
    )
  })

const section = (method: string, path: string, operation: Operation): string => {
  const query = (operation.parameters ?? []).filter((one) => one.in === 'query')
  const takesKey = operation.parameters?.some((one) => one.name === 'Idempotency-Key')
  const content = operation.requestBody?.content ?? {}
  const body = content['application/json']?.schema
  const raw = body ? undefined : Object.keys(content)[0]
  return [
    `### ${method.toUpperCase()} ${path}`,
    `${operation.summary}. ${operation.description}${takesKey ? ' Takes an `Idempotency-Key`.' : ''}`,
    ...(query.length > 0
      ? [
          table(
            ['search parameter', 'what'],
            query.map(({ name, schema }) => [`\`${name}\``, about(schema)]),
          ),
        ]
      : []),
    ...(body ? [fieldTable(body)] : []),
    ...(raw ? [`The body is \`${raw}\`, as it is.`] : []),
    ...answers(operation),
  ].join('\n\n')
}

export const apiReference = ({ paths }: OpenApiDocument): string => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const groups = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '')
  return [
    '# The API',
    introduction,
    '## Errors',
    codes(),
    '## Roles',
    mayTable(),
    ...[...groups].flatMap(([tag, its]) => [
      `## /api/${tag}`,
      ...its.map(({ method, path, operation }) => section(method, path, operation)),
    ]),
  ].join('\n\n')
}

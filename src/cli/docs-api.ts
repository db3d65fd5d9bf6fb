import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'prettier'
import { routes } from '#server/app.ts'
import { openApiDocument } from '#server/openapi/document.ts'
import { apiReference } from '#server/openapi/markdown.ts'

const endpoints = routes.map(({ endpoint }) => endpoint)
const reference = apiReference(openApiDocument(endpoints, { title: 'API', version: '' }))
writeFileSync(
  join(import.meta.dirname, '../../docs/api.md'),
  await format(reference, { parser: 'markdown' }),
)

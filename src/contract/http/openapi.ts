import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const openApi = endpoint('GET /api/openapi.json', {
  summary: 'This API as an OpenAPI 3.1 document',
  access: 'public',
  output: z.looseObject({ openapi: z.string() }),
  produces: 'application/json',
})

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const health = endpoint('GET /api/health', {
  summary: 'Whether the product and its database answer',
  access: 'public',
  output: z.object({
    data: z.object({
      status: z.literal('ok'),
      database: z.literal('ok'),
      version: z.string(),
    }),
  }),
})

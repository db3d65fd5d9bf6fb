import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { byKind, kindPaths } from './inbox.ts'

export const unreadCounts = byKind(z.int())

const counts = z.object({ data: unreadCounts })

export const readUnread = endpoint('GET /api/me/unread', {
  summary: 'How many records of the inbox one has not read',
  access: 'records.read',
  output: counts,
})

export const markAllRead = endpoint('POST /api/me/unread', {
  summary: 'Mark all records of a kind as read',
  access: 'records.read',
  body: z.object({ kind: z.enum(kindPaths, { error: 'Unknown kind.' }) }),
  output: counts,
  repeatable: true,
})

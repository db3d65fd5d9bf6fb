import type * as z from 'zod/mini'
import type { QueryOf } from '#contract/http/endpoint.ts'
import type { AnyKind } from '#contract/kinds.ts'

/** Input and output of the staff calls of any kind. */
export type InboxContract = AnyKind

export type InboxRecord = z.output<InboxContract['record']>
export type InboxDetail = z.output<InboxContract['read']['output']>['data']
export type ListQuery = QueryOf<InboxContract['list']>
export type ExportQuery = QueryOf<InboxContract['export']>

import type * as z from 'zod/mini'
import type { QueryOf } from '#contract/http/endpoint.ts'
import type { AnyKind } from '#contract/kinds.ts'

export type InboxRecord = z.output<AnyKind['record']>
export type InboxDetail = z.output<AnyKind['read']['output']>['data']
export type ListQuery = QueryOf<AnyKind['list']>
export type ExportQuery = QueryOf<AnyKind['export']>

import { applications } from '#contract/applications.ts'
import { consultations } from '#contract/consultations.ts'
import { contacts } from '#contract/contacts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ActivityEntry, BulkAction, KindPath, ListMeta } from '#contract/inbox.ts'
import { undo as undoEndpoint } from '#contract/inbox.ts'
import { ask, askFile } from '../../shell/session.ts'
import type { Filter, InboxRecord, RecordDetail } from './record.ts'

/**
 * The staff calls of any kind. The three kinds' endpoints have types of their own; the inbox treats
 * them as one, and this file is where that is said.
 */
const kinds: Record<KindPath, Record<string, unknown>> = { consultations, applications, contacts }

type CallName =
  | 'list'
  | 'read'
  | 'change'
  | 'note'
  | 'remove'
  | 'restore'
  | 'keep'
  | 'bulk'
  | 'export'

interface Input {
  params?: { id: string }
  query?: object
  body?: object
}

const endpointOf = (kind: KindPath, name: CallName) => kinds[kind][name] as Endpoint

const send = <Answer>(kind: KindPath, name: CallName, input: Input, signal?: AbortSignal) =>
  ask(endpointOf(kind, name), input as never, { signal }) as Promise<Answer>

export interface RecordPage {
  data: InboxRecord[]
  meta: ListMeta
}

interface Changed {
  data: RecordDetail
  meta: { event: string | null }
}

export interface RecordPatch {
  status?: string
  assignee?: string | null
  box?: 'inbox' | 'spam'
}

export const listRecords = (
  kind: KindPath,
  query: Filter & {
    limit?: number
    cursor?: string | undefined
    skip?: number | undefined
  },
  signal?: AbortSignal,
) => send<RecordPage>(kind, 'list', { query }, signal)

export const readRecord = async (kind: KindPath, id: string, signal?: AbortSignal) =>
  (await send<{ data: RecordDetail }>(kind, 'read', { params: { id } }, signal)).data

export const changeRecord = (
  kind: KindPath,
  id: string,
  body: RecordPatch & { version?: number | undefined },
) => send<Changed>(kind, 'change', { params: { id }, body })

export const removeRecord = (kind: KindPath, id: string) =>
  send<{ meta: { event: string | null } }>(kind, 'remove', { params: { id } })

export const restoreRecord = (kind: KindPath, id: string) =>
  send<Changed>(kind, 'restore', { params: { id } })

export const keepRecord = (kind: KindPath, id: string, keep: boolean) =>
  send<Changed>(kind, 'keep', { params: { id }, body: { keep } })

export const writeNote = async (kind: KindPath, id: string, text: string) =>
  (await send<{ data: ActivityEntry }>(kind, 'note', { params: { id }, body: { text } })).data

export const changeMany = (
  kind: KindPath,
  body: { ids: string[]; action: BulkAction; value?: string | boolean | null },
) =>
  send<{ data: { changed: string[]; missing: string[] }; meta: { event: string | null } }>(
    kind,
    'bulk',
    { body },
  )

export const undoEvent = (event: string) => ask(undoEndpoint, { body: { event } })

export const exportCsv = (kind: KindPath, filter: Filter, signal?: AbortSignal) =>
  askFile(endpointOf(kind, 'export'), { query: filter } as never, { signal })

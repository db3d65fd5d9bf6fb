import type * as z from 'zod/mini'
import { applications } from '#contract/applications.ts'
import { consultations } from '#contract/consultations.ts'
import { contacts } from '#contract/contacts.ts'
import type { QueryOf } from '#contract/endpoint.ts'
import type { defineKind, KindPath } from '#contract/inbox.ts'

/** The staff calls of any kind: what all kinds have in common. */
export type InboxContract = ReturnType<
  typeof defineKind<KindPath, string, z.core.$ZodShape, string, string>
>

export type InboxRecord = z.output<InboxContract['record']>
export type InboxDetail = z.output<InboxContract['read']['output']>['data']
export type ListQuery = QueryOf<InboxContract['list']>
export type ExportQuery = QueryOf<InboxContract['export']>
export type Change = z.output<InboxContract['change']['body'] & {}>

// A kind's own statuses and fields are narrower than what the engine knows of them.
export const inboxContracts = [consultations, applications, contacts] as unknown as InboxContract[]

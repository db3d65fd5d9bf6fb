import type * as z from 'zod/mini'
import { applications } from './applications.ts'
import { consultations } from './consultations.ts'
import { contacts } from './contacts.ts'
import type { defineKind } from './define-kind.ts'
import type { KindPath } from './inbox.ts'

/** Every kind of submission by its path, in the order of the dashboard, with its own types. */
export const kinds = { consultations, applications, contacts } satisfies {
  [Path in KindPath]: { path: Path }
}

export type Kinds = typeof kinds

// No interface: it would have every other name as well.
type CommonFields = { name: z.ZodMiniString; email: z.ZodMiniString }

/** Any kind: a name and an address among the fields, and any status. */
export type AnyKind = Omit<
  ReturnType<typeof defineKind<KindPath, string, CommonFields, never, never>>,
  'who' | 'at'
>

/**
 * The same for code that is written once for all kinds. Inputs of calls are narrower for one kind than
 * for any, which the compiler cannot follow; the calls themselves check every input.
 */
export const anyKind = kinds as unknown as Readonly<Record<KindPath, AnyKind>>

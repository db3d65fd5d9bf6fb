import { newKey } from '#client/idempotency-key.ts'

/**
 * One draft of a form: what was typed, and the idempotency key that makes it one record even when it
 * is sent several times. It is in `sessionStorage`, so that a reload, a crash or a duplicated tab
 * continues with the same text and key.
 */
export interface Draft {
  key: string
  /** Milliseconds since 1970; a draft is forgotten {@link lifetimeMs} later. */
  savedAt: number
  values: Record<string, string>
  /** The last attempt under this key. */
  attempt?: Attempt
}

export interface Attempt {
  /** The fields as JSON; a retry of the same fields repeats the same body. */
  fields: string
  elapsedMs: number
  /** True once the server has refused it: nothing was stored, so other fields may take a new key. */
  refused?: true
}

const lifetimeMs = 4 * 60 * 60 * 1_000

export const newDraft = (): Draft => ({ key: newKey(), savedAt: 0, values: {} })

const storageKey = (kind: string) => `draft:${kind}`

/** The stored draft of this kind; null when there is none or it has expired. */
export const loadDraft = (kind: string, now = Date.now()): Draft | null => {
  try {
    const draft = JSON.parse(sessionStorage.getItem(storageKey(kind)) ?? 'null') as Draft | null
    return draft && now - draft.savedAt < lifetimeMs ? draft : null
  } catch {
    return null
  }
}

/** Stores a draft; false where storage is full or forbidden: the form works without drafts. */
export const saveDraft = (kind: string, draft: Draft): boolean => {
  try {
    sessionStorage.setItem(storageKey(kind), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export const forgetDraft = (kind: string): void => {
  try {
    sessionStorage.removeItem(storageKey(kind))
  } catch {}
}

/** The draft with an attempt to send these fields: a retry keeps its key, changed fields after a refusal get a new one. */
export const attempted = (draft: Draft, fields: string, elapsedMs: number) => {
  const { attempt } = draft
  if (attempt?.fields === fields)
    return { ...draft, attempt: { fields, elapsedMs: attempt.elapsedMs } }
  return {
    ...draft,
    key: attempt?.refused ? newKey() : draft.key,
    attempt: { fields, elapsedMs },
  }
}

/** The draft after a refusal; a key that the server knows with other content is never used again. */
export const refused = (draft: Draft, { keyTaken = false } = {}): Draft => {
  if (keyTaken) {
    const { attempt: _, ...rest } = draft
    return { ...rest, key: newKey() }
  }
  return draft.attempt ? { ...draft, attempt: { ...draft.attempt, refused: true } } : draft
}

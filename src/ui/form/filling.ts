import { newKey } from '#client/idempotency-key.ts'

/**
 * One filling of a form: what was typed, and the idempotency key that makes it one record however
 * often it is sent. It lives in the tab's own storage, so that a reload, a crash or a duplicated tab
 * goes on with the same text and the same key.
 */
export interface Filling {
  key: string
  /** Milliseconds since 1970; a filling is forgotten {@link lifetimeMs} later. */
  savedAt: number
  values: Record<string, string>
  /** What was sent last under this key. */
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

export const newFilling = (): Filling => ({ key: newKey(), savedAt: 0, values: {} })

const storageKey = (kind: string) => `filling:${kind}`

/** The stored filling of this kind, unless there is none or it has grown old. */
export const loadFilling = (kind: string, now = Date.now()): Filling | null => {
  try {
    const filling = JSON.parse(sessionStorage.getItem(storageKey(kind)) ?? 'null') as Filling | null
    return filling && now - filling.savedAt < lifetimeMs ? filling : null
  } catch {
    return null
  }
}

/** Stores a filling; a storage that is full or forbidden costs the draft, never the form. */
export const saveFilling = (kind: string, filling: Filling): void => {
  try {
    sessionStorage.setItem(storageKey(kind), JSON.stringify(filling))
  } catch {}
}

export const forgetFilling = (kind: string): void => {
  try {
    sessionStorage.removeItem(storageKey(kind))
  } catch {}
}

/** The filling with an attempt to send these fields: a retry keeps its key, changed fields after a refusal get a new one. */
export const attempted = (
  filling: Filling,
  fields: string,
  elapsedMs: number,
): Filling & { attempt: Attempt } => {
  const { attempt } = filling
  if (attempt?.fields === fields)
    return { ...filling, attempt: { fields, elapsedMs: attempt.elapsedMs } }
  return {
    ...filling,
    key: attempt?.refused ? newKey() : filling.key,
    attempt: { fields, elapsedMs },
  }
}

/** The filling after a refusal; a key that the server knows with other content is never used again. */
export const refused = (filling: Filling, { keyTaken = false } = {}): Filling => {
  if (keyTaken) {
    const { attempt: _, ...rest } = filling
    return { ...rest, key: newKey() }
  }
  return filling.attempt ? { ...filling, attempt: { ...filling.attempt, refused: true } } : filling
}

import { hash } from 'node:crypto'
import { instant, uuidPattern } from '#contract/fields.ts'
import { invalidField } from './http-error.ts'

/**
 * The end of a page: the sort key and the id of its last record, so that the next page begins after
 * them whatever came or went meanwhile. A cursor belongs to the list that it was made for.
 */
export interface Cursor {
  /** Empty where the id alone gives the order. */
  key: string
  id: string
}

/** Names a list: its path, filter and sort. */
export const listName = (...parts: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 16)

export const writeCursor = (list: string, { key, id }: Cursor): string =>
  Buffer.from(JSON.stringify([list, key, id])).toString('base64url')

/** A page of a list that the ids alone order. `found` has one more item than `size` where the list goes on. */
export const listPage = <Item extends { _id: string }>(
  list: string,
  found: readonly Item[],
  size: number,
) => {
  const data = found.slice(0, size)
  const last = found.length > size ? data.at(-1) : undefined
  return { data, meta: { nextCursor: last ? writeCursor(list, { key: '', id: last._id }) : null } }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null
  }
}

/** The type of a sort key: ISO instants, decimal numbers or any text. */
export type KeyType = 'time' | 'number' | 'text'

const isKey: Record<KeyType, (key: string) => boolean> = {
  time: (key) => instant(key)?.toISOString() === key && !key.startsWith('0000'),
  number: (key) => /^-?\d{1,20}(\.\d{1,9})?$/.test(key),
  text: (key) => key.isWellFormed() && !key.includes('\0'),
}

/** @throws HttpError `invalid` for one that was not made for this list */
export const readCursor = (list: string, text: string, keyIs: KeyType = 'text'): Cursor => {
  const error = invalidField('cursor', 'The cursor does not belong to this list.')
  const parts = parse(text)
  if (!Array.isArray(parts) || parts.length !== 3) throw error
  const [name, key, id] = parts as unknown[]
  if (name !== list || typeof key !== 'string' || typeof id !== 'string') throw error
  if (!uuidPattern.test(id) || !isKey[keyIs](key)) throw error
  if (writeCursor(list, { key, id }) !== text) throw error
  return { key, id }
}

import { uuidPattern } from '#contract/fields.ts'
import { invalidField } from '#server/http/refusal.ts'

/** Where a page of the audit log ended: the id of its last entry, marked as the log's own. */
const MARK = 'audit:'

export const writeCursor = (id: string): string => Buffer.from(MARK + id).toString('base64url')

/** @throws Refusal `invalid` for anything that this log did not hand out */
export const readCursor = (cursor: string): string => {
  const text = Buffer.from(cursor, 'base64url').toString()
  const id = text.slice(MARK.length)
  if (!text.startsWith(MARK) || !uuidPattern.test(id) || writeCursor(id) !== cursor)
    throw invalidField('cursor', 'The cursor does not belong to this list.')
  return id
}

import { uuidPattern } from '#contract/fields.ts'
import { HttpError } from './http-error.ts'

/** @throws HttpError `not_found` for a malformed id, which names nothing */
export const pathId = ({ id }: { id: string }): string => {
  if (!uuidPattern.test(id)) throw new HttpError('not_found')
  return id
}

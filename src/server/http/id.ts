import { uuidPattern } from '#contract/fields.ts'
import { HttpError } from './http-error.ts'

/**
 * The id of a path; a malformed one names nothing.
 *
 * @throws HttpError `not_found`
 */
export const pathId = ({ id }: { id: string }): string => {
  if (!uuidPattern.test(id)) throw new HttpError('not_found')
  return id
}

import { uuidPattern } from '#contract/fields.ts'
import { Refusal } from './refusal.ts'

/**
 * The id of a path; a malformed one names nothing.
 *
 * @throws Refusal `not_found`
 */
export const pathId = ({ id }: { id: string }): string => {
  if (!uuidPattern.test(id)) throw new Refusal('not_found')
  return id
}

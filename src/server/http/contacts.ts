import { contactFields } from '#contract/inbox.ts'
import { HttpError } from './http-error.ts'
import type { Actor } from './route.ts'

/** A token without the scope `contacts` reads no e-mail address and no phone number. */
export const seesContacts = (actor: Actor | null): boolean =>
  !actor?.token || actor.token.scopes.includes('contacts')

/** True for the value of a contact field; a count of a source or position that is called `email` is a number. */
const isContact = (name: string, value: unknown): boolean =>
  contactFields.includes(name) && typeof value !== 'number'

/** True for the address of a mail; in other entries these fields are statuses and usernames. */
const isAddress = (name: string, value: unknown): boolean =>
  (name === 'from' || name === 'to') && typeof value === 'string' && value.includes('@')

const cut = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(cut)
  if (typeof value !== 'object' || value === null) return value
  const left = Object.entries(value).flatMap(([name, part]) =>
    isContact(name, part) || isAddress(name, part) ? [] : [[name, cut(part)] as const],
  )
  return Object.fromEntries(left)
}

/** Removes addresses and numbers from an answer, and from the record that a conflict carries. */
export const withoutContacts = async (work: Promise<object>): Promise<object> => {
  try {
    const answer = await work
    return answer instanceof Response ? answer : (cut(answer) as object)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    throw new HttpError(error.code, { ...error.details, data: cut(error.details.data) })
  }
}

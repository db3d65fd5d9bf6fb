import type { Database } from '#server/db/drizzle.ts'
import { isDuplicate } from '#server/db/rows.ts'
import { takenFields } from '#server/db/taken-fields.ts'
import { HttpError } from './http-error.ts'

/** @throws HttpError `duplicate`, which names each field that another account than `exceptId` has */
export const refuseTaken = async (
  db: Database,
  wanted: Parameters<typeof takenFields>[1],
  exceptId?: string,
): Promise<void> => {
  const taken = await takenFields(db, wanted, exceptId)
  if (taken.length === 0) return
  const messageFor = (names: string) => `A user with this ${names} already exists.`
  throw new HttpError('duplicate', {
    fields: Object.fromEntries(taken.map((field) => [field, [messageFor(field)]])),
    message: messageFor(taken.join(' and ')),
  })
}

/** Tells both fields at once where both are taken, which the database's own error does not. */
export const refuseDuplicate =
  (...account: Parameters<typeof refuseTaken>) =>
  async (error: unknown): Promise<never> => {
    if (!isDuplicate(error)) throw error
    await refuseTaken(...account)
    throw new HttpError('duplicate')
  }

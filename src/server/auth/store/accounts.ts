import * as z from 'zod/mini'
import { roles } from '#contract/http/access.ts'

export const storedAccount = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  role: z.enum(roles),
})
export type StoredAccount = z.output<typeof storedAccount>

/** An account with what a password is checked against. */
export const verifiedAccount = z.extend(storedAccount, {
  passwordHash: z.string(),
  credentialVersion: z.int(),
  factorCount: z.int(),
  mustChangePassword: z.boolean(),
})
export type VerifiedAccount = z.output<typeof verifiedAccount>

import * as z from 'zod/mini'
import { roles } from '#contract/http/access.ts'

export const storedAccount = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  role: z.enum(roles),
})
export type StoredAccount = z.output<typeof storedAccount>

/** The part of an account that a password is checked against. */
export const verifiedAccount = z.object({
  id: z.string(),
  passwordHash: z.string(),
  credentialVersion: z.int(),
  factorCount: z.int(),
})
export type VerifiedAccount = z.output<typeof verifiedAccount>

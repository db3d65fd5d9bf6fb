import { roles, type Scope } from '#contract/http/access.ts'
import { sql } from '#server/db/drizzle.ts'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from '#server/db/pg-core.ts'
import { id, instant, isKnown, now } from '#server/db/schema/columns.ts'
import { userId, users } from './users.ts'

/** Links in mails to staff, each of which works once. A newer one for the same address replaces the older. */
export const accountLinks = pgTable(
  'account_links',
  {
    id: id(),
    kind: text({ enum: ['invitation', 'reset'] }).notNull(),
    /** SHA-256 of the token in the link, 192 random bits. */
    hash: text().notNull().unique(),
    email: text().notNull(),
    /** The account whose password a reset sets, or that sent an invitation; null for an old invitation. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** Resets only: the account's when it was asked for, so that a change since ends the link. */
    credentialVersion: integer('credential_version'),
    /** Invitations only. */
    role: text({ enum: roles }),
    username: text(),
    createdAt: instant('created_at').notNull().default(now),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('account_links_address_key').on(table.kind, sql`lower(${table.email})`),
    index('account_links_user_idx').on(table.userId),
    index('account_links_expiry_idx').on(table.expiresAt),
    check('account_links_kind_known', sql`${table.kind} in ('invitation', 'reset')`),
  ],
)

/** Public keys of staff: reading this table does not let anyone sign in. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: userId(),
    name: text().notNull(),
    /** The authenticator's own id of the credential, base64url. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE, base64url. */
    publicKey: text('public_key').notNull(),
    /** Heeded while the key is not backed up: a copy of it would show here. */
    counter: bigint({ mode: 'number' }).notNull(),
    /** True if the key can be backed up, which never changes. */
    backupEligible: boolean('backup_eligible').notNull(),
    /** True if it was backed up when it was last used. */
    backedUp: boolean('backed_up').notNull(),
    transports: text().array().notNull(),
    createdAt: instant('created_at').notNull().default(now),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('passkeys_user_idx').on(table.userId)],
)

/** An account's authenticator app. Both secrets are encrypted under `AUTH_SECRET`. */
export const totpSecrets = pgTable('totp_secrets', {
  userId: userId().primaryKey(),
  /** In force; null until the first one is confirmed. */
  secret: text(),
  confirmedAt: instant('confirmed_at'),
  /** Shown, and not confirmed yet. */
  pending: text(),
  /** Steps (of 30 seconds) whose codes were used lately: each works once. */
  usedSteps: bigint('used_steps', { mode: 'number' }).array().notNull().default(sql`'{}'`),
  createdAt: instant('created_at').notNull().default(now),
})

/** Recovery codes of accounts: a used one is deleted. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: userId(),
    /** SHA-256 of the account's id and the code, which has 120 random bits. */
    hash: text().notNull(),
    createdAt: instant('created_at').notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.hash] }),
    index('recovery_codes_user_idx').on(table.userId),
  ],
)

const purposes = ['second_factor', 'passkey', 'new_passkey'] as const

/**
 * A sign-in or a new passkey that has been begun. An answer deletes the row before it is checked, so that
 * a challenge works once, however many answers come at the same time.
 */
export const challenges = pgTable(
  'challenges',
  {
    id: id(),
    /**
     * `second_factor`: the password was right. `passkey`: a sign-in or step-up with a passkey. `new_passkey`:
     * one is being added.
     */
    purpose: text({ enum: purposes }).notNull(),
    /** SHA-256 of the challenge as the client holds it, 192 random bits. */
    hash: text().notNull().unique(),
    /** The text for a passkey to sign, base64url. */
    passkeyChallenge: text('passkey_challenge'),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The account's when the password was verified. */
    credentialVersion: integer('credential_version'),
    /** As in `devices`, where the client named its device. */
    device: text(),
    failures: integer().notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('challenges_user_idx').on(table.userId),
    index('challenges_expiry_idx').on(table.expiresAt),
    isKnown('challenges_purpose_known', table.purpose, purposes),
  ],
)

export const apiTokens = pgTable(
  'api_tokens',
  {
    id: id(),
    userId: userId(),
    name: text().notNull(),
    scopes: text().array().$type<Scope[]>().notNull(),
    /** SHA-256 of the token, which has 192 random bits. */
    tokenHash: text('token_hash').notNull().unique(),
    /** The account's version when the token was made: a new password, e-mail or role ends it. */
    credentialVersion: integer('credential_version').notNull(),
    createdAt: instant('created_at').notNull().default(now),
    lastUsedAt: instant('last_used_at'),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('api_tokens_user_idx').on(table.userId)],
)

import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { roles } from '#contract/http/access.ts'
import { id, instant, now } from '#server/db/schema/columns.ts'

/** Staff accounts. Usernames and addresses are unique without regard to case. */
export const users = pgTable(
  'users',
  {
    id: id(),
    username: text().notNull(),
    email: text().notNull(),
    /** An argon2id hash in PHC format. */
    passwordHash: text('password_hash').notNull(),
    role: text({ enum: roles }).notNull().default('user'),
    /** Counts the changes of the account: a form that shows an older one is refused. */
    version: integer().notNull().default(1),
    /** Raised by everything that ends the account's sessions: a new password, e-mail or role. */
    credentialVersion: integer('credential_version').notNull().default(1),
    /** Until the password is changed, the account may do nothing else. */
    mustChangePassword: boolean('must_change_password').notNull().default(false),
    /**
     * Passkeys and authenticator app together. Counted here, so that two changes at the same
     * time (adding the first one, removing the last one) wait for this row and read its new count.
     */
    factorCount: integer('factor_count').notNull().default(0),
    createdAt: instant('created_at').notNull().default(now),
    updatedAt: instant('updated_at').notNull().default(now),
  },
  (table) => [
    uniqueIndex('users_username_key').on(sql`lower(${table.username})`),
    uniqueIndex('users_email_key').on(sql`lower(${table.email})`),
    check(
      'users_role_known',
      sql`${table.role} in (${sql.raw(roles.map((role) => `'${role}'`).join(', '))})`,
    ),
  ],
)

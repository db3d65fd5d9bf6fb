import { sql } from 'drizzle-orm'
import { check, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant } from './columns.ts'

/** Staff accounts. Usernames and addresses are unique without regard to case. */
export const users = pgTable(
  'users',
  {
    id: id(),
    username: text().notNull(),
    email: text().notNull(),
    /** An argon2id hash in PHC format. */
    passwordHash: text('password_hash').notNull(),
    role: text({ enum: ['user', 'reviewer', 'editor', 'admin', 'superuser'] })
      .notNull()
      .default('user'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('users_username_key').on(sql`lower(${table.username})`),
    uniqueIndex('users_email_key').on(sql`lower(${table.email})`),
    check(
      'users_role_known',
      sql`${table.role} in ('user', 'reviewer', 'editor', 'admin', 'superuser')`,
    ),
  ],
)

import { boolean, date, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { defaultSettings, densities, digests } from '#contract/accounts/settings.ts'
import { users } from './users.ts'

/** Personal settings; an account without own settings has no row. */
export const staffSettings = pgTable('staff_settings', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  digest: text({ enum: digests }).notNull().default(defaultSettings.digest),
  density: text({ enum: densities }).notNull().default(defaultSettings.density),
  shortcuts: boolean().notNull().default(defaultSettings.shortcuts),
  /** The name that senders see; null if mail is signed by the brand alone. */
  displayName: text('display_name'),
  /** Below each message. */
  signature: text().notNull().default(defaultSettings.signature),
  /**
   * The UTC day of the last digest. The statement that raises it also queues that day's digest, so that
   * any number of processes send one.
   */
  digestDay: date('digest_day').notNull(),
})

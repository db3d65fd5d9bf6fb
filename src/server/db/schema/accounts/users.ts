import { defaultSettings, densities, digests } from '#contract/accounts/settings.ts'
import { type Right, rights, roles } from '#contract/http/access.ts'
import type { HoursRange } from '#contract/times/times.ts'
import { type SQL, sql } from '#server/db/drizzle.ts'
import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from '#server/db/pg-core.ts'
import { id, instant, isKnown, now } from '#server/db/schema/columns.ts'

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
    isKnown('users_role_known', table.role, roles),
  ],
)

/** True if an account's role has a right, as SQL: a statement sees the current role. */
export const roleMay = (role: SQL, right: Right): SQL =>
  sql`${role} = any(${sql.param(rights[right])}::text[])`

/** The account of a row that goes with it. */
export const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** One row for each sign-in that still counts; a token without its row is refused. */
export const sessions = pgTable(
  'sessions',
  {
    id: id(),
    userId: userId(),
    /** SHA-256 of the token's `jti`, a secret of 192 bits: reading this table does not let anyone sign in. */
    tokenHash: text('token_hash').notNull().unique(),
    browser: text(),
    /**
     * The account's, as it was when the session began. A session of an older one is over, also where
     * it began while the change was under way, which the change's own deletion cannot see.
     */
    credentialVersion: integer('credential_version').notNull().default(1),
    /** Until when acts that ask for a step-up are allowed. */
    stepUpUntil: instant('step_up_until'),
    /** As in `devices`, where the client named its device. */
    device: text(),
    createdAt: instant('created_at').notNull().default(now),
    lastUsedAt: instant('last_used_at').notNull().default(now),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('sessions_user_idx').on(table.userId),
    index('sessions_expiry_idx').on(table.expiresAt),
  ],
)

export const devices = pgTable(
  'devices',
  {
    userId: userId(),
    /** SHA-256 of the client's random id, or of the kind of browser where it has none. */
    hash: text().notNull(),
    firstUsedAt: instant('first_used_at').notNull().default(now),
    lastUsedAt: instant('last_used_at').notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.hash] }),
    index('devices_user_idx').on(table.userId),
    index('devices_used_idx').on(table.lastUsedAt),
  ],
)

/** Personal settings; an account without own settings has no row. */
export const staffSettings = pgTable('staff_settings', {
  userId: userId().primaryKey(),
  digest: text({ enum: digests }).notNull().default(defaultSettings.digest),
  density: text({ enum: densities }).notNull().default(defaultSettings.density),
  shortcuts: boolean().notNull().default(defaultSettings.shortcuts),
  /** The name that senders see; null if mail is signed by the brand alone. */
  displayName: text('display_name'),
  signature: text().notNull().default(defaultSettings.signature),
  /**
   * The UTC day of the last digest. The statement that raises it also queues that day's digest, so that
   * any number of processes send one.
   */
  digestDay: date('digest_day').notNull(),
})

export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: id(),
    userId: userId(),
    /** SHA-256 of the endpoint: a device has one subscription, of the account that asked last. */
    endpointHash: text('endpoint_hash').notNull().unique(),
    /** Endpoint and keys, encrypted under `AUTH_SECRET`. */
    sealed: text().notNull(),
    /** The account's version when it subscribed: a new password, e-mail or role raises it, which ends this one. */
    credentialVersion: integer('credential_version').notNull(),
    createdAt: instant('created_at').notNull().default(now),
    /** When it began to get notifications: what came before is no news. */
    activeSince: instant('active_since').notNull().default(now),
  },
  (table) => [index('push_subscriptions_user_idx').on(table.userId)],
)

/** The address under which a member of staff reads their own appointments as a calendar. */
export const calendarLinks = pgTable('calendar_links', {
  userId: userId().primaryKey(),
  /** SHA-256 of its token. */
  tokenHash: text('token_hash').notNull().unique(),
  /** The account's version when the address was made: a new password, e-mail or role ends it. */
  credentialVersion: integer('credential_version').notNull(),
  createdAt: instant('created_at').notNull().default(now),
})

/**
 * The hours in which members of staff talk with senders, and a copy of the busy times of their own
 * calendar.
 */
export const hostHours = pgTable('host_hours', {
  userId: userId().primaryKey(),
  timeZone: text('time_zone').notNull(),
  weekly: jsonb().$type<HoursRange[]>().notNull(),
  minutes: integer().notNull(),
  buffer: integer().notNull(),
  noticeHours: integer('notice_hours').notNull(),
  horizonDays: integer('horizon_days').notNull(),
  place: text().notNull(),
  /** The calendar's address, encrypted under `AUTH_SECRET`. */
  busySealed: text('busy_sealed'),
  /** The busy times of the last copy as pairs of milliseconds, without what fills them. */
  busyTimes: jsonb('busy_times').$type<[number, number][]>(),
  /** The time at which the copy was read; null before the first. */
  busyReadAt: instant('busy_read_at'),
  busyTriedAt: instant('busy_tried_at'),
  busyProblem: text('busy_problem'),
  busyOutcome: text('busy_outcome', { enum: ['read', 'unreachable', 'broken'] }),
})

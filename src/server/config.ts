import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { username } from '#contract/accounts/users.ts'
import { email } from '#contract/fields.ts'
import { roles } from '#contract/http/access.ts'
import { makeDataDir } from '#server/data-dir.ts'
import { keysOf } from '#server/secrets/keys.ts'
import { type VapidKeys, vapidPublicKey } from '#server/secrets/vapid.ts'

/** The place of the records: in the process, over TCP, or through Neon's HTTP endpoint. */
export type DatabaseConfig =
  | { kind: 'embedded'; directory: string }
  | { kind: 'pg'; url: string }
  | { kind: 'neon'; url: string; fetchEndpoint: string | undefined }

export type Config = ReturnType<typeof readConfig>

const number = (form: RegExp, error: string) => z.string().regex(form, error).transform(Number)

const port = number(/^\d{1,5}$/, 'must be a port number').refine(
  (value) => value <= 65_535,
  'must be a port number',
)

/** Text that a schema of the API takes: an address that the sign-in refuses would let nobody in. */
const takenBy = (schema: typeof email, error: string) =>
  z
    .string()
    .trim()
    .refine((value) => schema.safeParse(value).success, error)

const host = z
  .string()
  .refine(
    (value) => !/[/\\?#@]/.test(value) && URL.canParse(`http://${authority(value, 80)}`),
    'must be the name or the IP address of a host',
  )

const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })

const hasUser = (url: string): boolean => {
  if (!URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username + password !== ''
}

// `fetch` calls no URL with a user, and staff would read the password beside what failed.
const httpUrl = webUrl.refine(
  (value) => !hasUser(value),
  'must be a URL without a user and a password',
)

// The paths of links follow it.
const siteAddress = webUrl.refine(
  (value) => !/[?#@]/.test(value),
  'must be an address without a user, a query and a fragment',
)

/** An address, or a name with the address in angle brackets. */
const isMailbox = (text: string): boolean =>
  z.regexes.html5Email.test(/^[^<>]*<([^<>]*)>$/.exec(text.trim())?.[1] ?? text.trim())

const mailbox = z
  .string()
  .refine(isMailbox, 'must be like hello@example.com or Name <hello@example.com>')

const mailboxes = z
  .string()
  .refine(
    (list) => list.split(',').every(isMailbox),
    'must be e-mail addresses with commas between them',
  )

const webhookSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{22,}={0,2}$/, 'must be whsec_ and base64')

const postgresUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must begin with postgres:// or postgresql://',
})

const databaseVariables = {
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_OWNER_URL: postgresUrl.optional(),
  NETLIFY_DATABASE_URL: postgresUrl.optional(),
  NEON_FETCH_ENDPOINT: httpUrl.optional(),
}

/** Every variable of the product, as `.env.example` lists them. */
export const variables = {
  PORT: port.default(4321),
  HOST: host.default('127.0.0.1'),
  ...databaseVariables,
  AUTH_SECRET: z
    .string()
    .refine(
      (value) => keysOf(value).every((key) => Buffer.byteLength(key) >= 32),
      'must be at least 32 bytes; of two keys with a comma between them, each',
    )
    .refine((value) => keysOf(value).length <= 2, 'may hold two keys, with a comma between them')
    .optional(),
  ADMIN_EMAIL: takenBy(email, 'must be an e-mail address, with a dot in its domain').default(
    'admin@localhost.test',
  ),
  ADMIN_USERNAME: takenBy(
    username,
    'must be 2 to 40 of letters, digits, dot, underscore, hyphen',
  ).default('admin'),
  ADMIN_PASSWORD: z.string().optional(),
  REQUIRE_SECOND_FACTOR: z
    .enum(
      ['superuser', 'admin', 'editor', 'reviewer', 'all'],
      'must be superuser, admin, editor, reviewer or all',
    )
    .optional(),
  BREACHED_PASSWORDS_URL: httpUrl.optional(),
  SITE_URL: siteAddress.optional(),
  RESEND_API_KEY: z.string().optional(),
  RESEND_BASE_URL: httpUrl.optional(),
  MAIL_FROM: mailbox.optional(),
  MAIL_TO: mailboxes.optional(),
  RESEND_WEBHOOK_SECRET: webhookSecret.optional(),
  REPLY_DOMAIN: z
    .string()
    .toLowerCase()
    .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'must be a domain name')
    .optional(),
  INBOUND_SECRET: z
    .string()
    .trim()
    .regex(/^[^\p{Cc}]+$/u, 'must be one line of text')
    .refine((value) => [...value].length >= 24, 'must have at least 24 characters')
    .optional(),
  MAIL_AUTH_SERVER: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[\w.-]+$/, 'must be the name of one server, as in Authentication-Results')
    .optional(),
  MAIL_PER_HOUR: number(/^\d{1,5}$/, 'must be a whole number up to 99999').default(300),
  PUBLISH: z.enum(['draw', 'rebuild'], 'must be draw or rebuild').default('draw'),
  BUILD_HOOK: httpUrl.optional(),
  PRIVATE_HOSTS: z
    .string()
    .toLowerCase()
    .transform((list) => list.split(',').map((host) => host.trim()))
    .refine(
      (hosts) => hosts.every((host) => /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.test(host)),
      'must be hosts such as n8n.local or 10.0.0.5:5678, separated by commas',
    )
    .default([]),
  WEBHOOK_URL: httpUrl.optional(),
  WEBHOOK_SECRET: webhookSecret.optional(),
  VAPID_PUBLIC_KEY: z.string().trim().optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .trim()
    .refine(
      (value) => vapidPublicKey(value) !== null,
      'must be a P-256 key as npm run push-keys makes them',
    )
    .optional(),
  DIGEST_HOUR: number(/^([01]?\d|2[0-3])$/, 'must be an hour of the day, 0 to 23').default(6),
  TRUST_PROXY: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
}

/** Set by the platform, not by the person who runs the product. */
const platformVariables = {
  NODE_ENV: z.string().optional(),
  NETLIFY: z.string().optional(),
  AWS_LAMBDA_FUNCTION_NAME: z.string().optional(),
  URL: httpUrl.optional(),
}

type Env = Partial<
  Record<keyof typeof variables | keyof typeof platformVariables, string | undefined>
>

/** Judges a password: a message saying why it cannot be used; undefined when it can. */
export type PasswordRule = (choice: {
  username: string
  email: string
  password: string
}) => string | undefined

/** All problems of the environment, for the person who starts the program. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `The environment cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/**
 * Reads the whole environment, or says everything that is wrong with it in one `ConfigError`.
 * Locally a missing `AUTH_SECRET` is made once and kept in `DATA_DIR/auth-secret`.
 */
export function readConfig(env: Env, options: { passwordRule?: PasswordRule } = {}) {
  const parsed = parse(z.object({ ...variables, ...platformVariables }), env)
  const production = env.NODE_ENV === 'production' || onNetlify(env)
  const problems = [...parsed.problems]
  if (production && !env.AUTH_SECRET) {
    problems.push('AUTH_SECRET is missing: it signs tokens and must be set here, at least 32 bytes')
  }
  const values = parsed.values
  // Checked on the raw variables, so that an error in another one does not hide this one.
  if (env.ADMIN_PASSWORD && options.passwordRule) {
    const problem = options.passwordRule({
      username: values?.ADMIN_USERNAME ?? env.ADMIN_USERNAME ?? '',
      email: values?.ADMIN_EMAIL ?? env.ADMIN_EMAIL ?? '',
      password: env.ADMIN_PASSWORD,
    })
    if (problem) problems.push(`ADMIN_PASSWORD: ${problem}`)
  }
  const push = vapidKeys(values?.VAPID_PRIVATE_KEY)
  if (push && values?.VAPID_PUBLIC_KEY && values.VAPID_PUBLIC_KEY !== push.publicKey)
    problems.push(
      'VAPID_PUBLIC_KEY belongs to another VAPID_PRIVATE_KEY: npm run push-keys makes both',
    )
  if (!values || problems.length > 0) throw new ConfigError(problems)

  const dataDir = resolve(values.DATA_DIR)
  const siteUrl = withoutSlash(
    values.SITE_URL ??
      (onNetlify(env) ? values.URL : undefined) ??
      `http://${authority(values.HOST, values.PORT)}`,
  )
  return {
    host: values.HOST,
    port: values.PORT,
    /** The embedded database, the local mailbox and local secrets; absolute. */
    dataDir,
    database: databaseOf(values, dataDir),
    /** Signs tokens, encrypts stored secrets; two keys with a comma between them while one replaces the other. */
    authSecret: values.AUTH_SECRET ?? localSecret(dataDir),
    /** This role and those above it need a second factor. */
    requireSecondFactor:
      values.REQUIRE_SECOND_FACTOR === 'all' ? roles[0] : values.REQUIRE_SECOND_FACTOR,
    /** A service that lists breached passwords by the beginning of their hash (k-anonymity). */
    breachedPasswordsUrl: values.BREACHED_PASSWORDS_URL,
    /** Made once, when nobody is there yet; without a password one is generated. */
    firstSuperuser: {
      email: values.ADMIN_EMAIL,
      username: values.ADMIN_USERNAME,
      password: values.ADMIN_PASSWORD,
    },
    /** Canonical URL without a trailing slash. */
    siteUrl,
    mail: {
      /** Without a key every message becomes an `.eml` file in `DATA_DIR/mail`. */
      resendApiKey: values.RESEND_API_KEY,
      /** Resend's library puts paths right behind it. */
      resendBaseUrl: values.RESEND_BASE_URL && withoutSlash(values.RESEND_BASE_URL),
      from: values.MAIL_FROM ?? `no-reply@${mailDomain(siteUrl)}`,
      /** Without it staff mail goes to every superuser. */
      to: values.MAIL_TO,
      /** Checks the provider's delivery reports; without it they are not taken. */
      resendWebhookSecret: values.RESEND_WEBHOOK_SECRET,
      /** Mail to this domain reaches the program: senders answer to an address of their own there. */
      replyDomain: values.REPLY_DOMAIN,
      /** The secret of mail servers and workers that send mail in; without it none is taken. */
      inboundSecret: values.INBOUND_SECRET,
      /** The server whose `Authentication-Results` count; without it no mail is held to be forged. */
      authServer: values.MAIL_AUTH_SERVER,
      /** The largest mail that is taken: a deployed function gets no larger body. */
      inboundBytes: (onNetlify(env) ? 4 : 5) * 1_048_576,
      /** Acknowledgements that may leave within an hour. */
      perHour: values.MAIL_PER_HOUR,
    },
    /** A release is drawn from the bundle of the build (`draw`), or by a build of its own. */
    publish: values.PUBLISH,
    /** Netlify's address that starts a build, for releases that are drawn by one there. */
    buildHook: values.BUILD_HOOK,
    /** Hosts that webhooks and calendars may reach though they are private: `host` or `host:port`. */
    privateHosts: values.PRIVATE_HOSTS as readonly string[],
    /** The webhook that announces new submissions besides mail. */
    webhook: values.WEBHOOK_URL
      ? { url: values.WEBHOOK_URL, secret: values.WEBHOOK_SECRET }
      : undefined,
    /** The keys for push services; without them there are no notifications. */
    push,
    /** The UTC hour from which on the day's digest is sent. */
    digestHour: values.DIGEST_HOUR,
    /** Believe the last entry of `X-Forwarded-For`. */
    trustProxy: values.TRUST_PROXY === '1',
    /** On Netlify or with `NODE_ENV=production`: nothing is generated for want of a setting. */
    production,
  }
}

/** The part of the environment that a migration needs; the rest may be missing then. */
export function readDatabaseConfig(env: Env): DatabaseConfig {
  const { values, problems } = parse(z.object(databaseVariables), env)
  if (!values) throw new ConfigError(problems)
  return databaseOf(values, resolve(values.DATA_DIR))
}

/** The same for what changes tables: as the owner, where the program itself has a role of its own. */
export function readOwnerDatabaseConfig(env: Env): DatabaseConfig {
  return readDatabaseConfig(
    env.DATABASE_OWNER_URL ? { ...env, DATABASE_URL: env.DATABASE_OWNER_URL } : env,
  )
}

/**
 * The same for a build, which reads the live release: as the program, or as the owner where the
 * program's address is kept from builds, as docs/deploy.md has it on Netlify.
 */
export function readBuildDatabaseConfig(env: Env): DatabaseConfig {
  const own = readDatabaseConfig(env)
  return own.kind === 'embedded' ? readOwnerDatabaseConfig(env) : own
}

/** The key of this installation alone, for a command that needs no other setting; made where it may be. */
export function readAuthSecret(env: Env): string {
  const { values, problems } = parse(z.object({ AUTH_SECRET: variables.AUTH_SECRET }), env)
  if (!values) throw new ConfigError(problems)
  return values.AUTH_SECRET ?? localSecret(resolve(env.DATA_DIR || '.data'))
}

/** `HOST:PORT` as it stands in a URL, an IPv6 host in brackets. */
export function authority(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

function parse<T extends z.ZodType>(schema: T, env: Env) {
  // A variable that is set to nothing, as in a copied `.env.example`, counts as absent.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = schema.safeParse(given)
  if (result.success) return { values: result.data, problems: [] }
  return {
    values: undefined,
    problems: result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`),
  }
}

function databaseOf(
  values: z.output<z.ZodObject<typeof databaseVariables>>,
  dataDir: string,
): DatabaseConfig {
  const url = values.DATABASE_URL ?? values.NETLIFY_DATABASE_URL
  if (!url) return { kind: 'embedded', directory: join(dataDir, 'db') }
  const fetchEndpoint = values.NEON_FETCH_ENDPOINT
  if (fetchEndpoint || /(^|\.)neon\.tech$/.test(new URL(url).hostname)) {
    return { kind: 'neon', url, fetchEndpoint }
  }
  return { kind: 'pg', url }
}

function vapidKeys(privateKey: string | undefined): VapidKeys | undefined {
  const publicKey = privateKey && vapidPublicKey(privateKey)
  return privateKey && publicKey ? { publicKey, privateKey } : undefined
}

function onNetlify(env: Env): boolean {
  return Boolean(env.NETLIFY || env.AWS_LAMBDA_FUNCTION_NAME)
}

function mailDomain(siteUrl: string): string {
  const host = new URL(siteUrl).hostname
  return /[a-z]$/i.test(host) && host.includes('.') ? host : 'localhost.test'
}

function localSecret(dataDir: string): string {
  const file = join(dataDir, 'auth-secret')
  makeDataDir(dataDir)
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

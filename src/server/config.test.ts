import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  ConfigError,
  readBuildDatabaseConfig,
  readConfig,
  readDatabaseConfig,
  variables,
} from '#server/config.ts'

const temporary = () => mkdtempSync(join(tmpdir(), 'fledge-config-'))
const secret = 'x'.repeat(32)

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('an empty environment gives a working local configuration', () => {
  const dataDir = temporary()
  expect(readConfig({ DATA_DIR: dataDir })).toMatchObject({
    host: '127.0.0.1',
    port: 4321,
    database: { kind: 'embedded', directory: join(dataDir, 'db') },
    siteUrl: 'http://127.0.0.1:4321',
    firstSuperuser: { email: 'admin@localhost.test', username: 'admin', password: undefined },
    trustProxy: false,
  })
})

test('the example file lists exactly the variables that are read', () => {
  const listed = readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=/gm)
  expect([...listed].map(([, name]) => name).sort()).toEqual(Object.keys(variables).sort())
})

test('the example file, copied as it is, is a valid environment', () => {
  const pairs = readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)
  const env = Object.fromEntries([...pairs].map(([, name, value]) => [name, value]))
  expect(problemsOf({ ...env, DATA_DIR: temporary() })).toEqual([])
})

test('every problem of the environment is reported at once', () => {
  const problems = problemsOf({
    PORT: 'many',
    DATABASE_URL: 'mysql://here/db',
    AUTH_SECRET: 'short',
    ADMIN_EMAIL: 'nobody',
    SITE_URL: 'ftp://here',
    TRUST_PROXY: 'yes',
  }).join('\n')
  for (const name of [
    'PORT',
    'DATABASE_URL',
    'AUTH_SECRET',
    'ADMIN_EMAIL',
    'SITE_URL',
    'TRUST_PROXY',
  ]) {
    expect(problems).toContain(name)
  }
})

test('HOST is a host alone', () => {
  const problems = (host: string) => problemsOf({ HOST: host, DATA_DIR: temporary() }).join()
  for (const host of ['999.1.1.1', 'a b', 'here:80', 'here/path', 'me@here', '[::1]', '::1%eth0'])
    expect(problems(host), host).toBe('HOST must be the name or the IP address of a host')
  for (const host of ['localhost', '0.0.0.0', '::', '::1', 'www.example.com', 'fledge_web'])
    expect(problems(host), host).toBe('')
})

test('links can be made of SITE_URL', () => {
  const problems = (url: string) => problemsOf({ SITE_URL: url, DATA_DIR: temporary() }).join()
  for (const url of [
    'https://me@x.test',
    'https://me:pw@x.test',
    'https://x.test/?a',
    'https://x.test?',
    'https://x.test/#a',
  ])
    expect(problems(url), url).toBe(
      'SITE_URL must be an address without a user, a query and a fragment',
    )
  expect(problems('https://x.test/')).toBe('')
  expect(problems('x.test')).toBe('SITE_URL must be an http or https URL')
})

test('a URL that the program calls names no user and no password', () => {
  for (const name of ['WEBHOOK_URL', 'BREACHED_PASSWORDS_URL', 'RESEND_BASE_URL', 'BUILD_HOOK']) {
    const problems = (url: string) => problemsOf({ [name]: url, DATA_DIR: temporary() }).join()
    for (const url of ['https://me:pw@x.test/a', 'https://me@x.test', 'https://:pw@x.test'])
      expect(problems(url), url).toBe(`${name} must be a URL without a user and a password`)
    expect(problems('x')).toBe(`${name} must be an http or https URL`)
    expect(problems('https://x.test/me:pw@a?b=c@d')).toBe('')
  }
})

test('a slash at the end of RESEND_BASE_URL is no part of the calls', () => {
  const env = { RESEND_BASE_URL: 'http://127.0.0.1:3000/', DATA_DIR: temporary() }
  expect(readConfig(env).mail.resendBaseUrl).toBe('http://127.0.0.1:3000')
})

test('a mail may have 5 MiB, and 4 MiB where the platform takes no more', () => {
  const bytes = (env: Record<string, string>) =>
    readConfig({ ...env, DATA_DIR: temporary() }).mail.inboundBytes
  expect(bytes({})).toBe(5_242_880)
  expect(bytes({ NETLIFY: 'true', AUTH_SECRET: 'x'.repeat(32) })).toBe(4_194_304)
})

test('INBOUND_SECRET has at least 24 characters', () => {
  const problems = (secret: string) =>
    problemsOf({ INBOUND_SECRET: secret, DATA_DIR: temporary() }).join()
  for (const secret of ['x', 'x'.repeat(23), `${'x'.repeat(23)} `])
    expect(problems(secret)).toContain('INBOUND_SECRET must have at least 24 characters')
  expect(problems('x'.repeat(24))).toBe('')
})

test('MAIL_PER_HOUR is a whole number, 300 where it is not set', () => {
  for (const rate of ['-1', 'many', '1.5'])
    expect(problemsOf({ MAIL_PER_HOUR: rate, DATA_DIR: temporary() }).join(), rate).toContain(
      'MAIL_PER_HOUR',
    )
  const perHour = (env: Record<string, string>) =>
    readConfig({ ...env, DATA_DIR: temporary() }).mail.perHour
  expect([perHour({}), perHour({ MAIL_PER_HOUR: '0' })]).toEqual([300, 0])
})

test('a first superuser who could not sign in stops the start', () => {
  for (const email of ['admin@localhost', 'a b@here.test', `${'a'.repeat(250)}@here.test`])
    expect(problemsOf({ ADMIN_EMAIL: email, DATA_DIR: temporary() }).join(), email).toContain(
      'ADMIN_EMAIL',
    )
  const { firstSuperuser } = readConfig({
    ADMIN_EMAIL: 'Root@Example.test',
    ADMIN_USERNAME: 'Zoë.1',
    DATA_DIR: temporary(),
  })
  expect(firstSuperuser).toMatchObject({ email: 'Root@Example.test', username: 'Zoë.1' })
})

test('without a secret nothing starts in production or on Netlify', () => {
  expect(problemsOf({ NODE_ENV: 'production' }).join()).toContain('AUTH_SECRET')
  expect(problemsOf({ NETLIFY: 'true', PORT: 'x' }).join()).toMatch(/PORT.*AUTH_SECRET/)
  expect(problemsOf({ NODE_ENV: 'production', AUTH_SECRET: secret })).toEqual([])
})

test('the local secret is made once and readable by its owner alone', () => {
  const dataDir = temporary()
  const first = readConfig({ DATA_DIR: dataDir }).authSecret
  expect(Buffer.byteLength(first)).toBeGreaterThanOrEqual(32)
  expect(readConfig({ DATA_DIR: dataDir }).authSecret).toBe(first)
  expect(statSync(join(dataDir, 'auth-secret')).mode & 0o777).toBe(0o600)
})

test('the address of the database selects its driver', () => {
  expect(readDatabaseConfig({ DATABASE_URL: 'postgres://u:p@db.local/x' }).kind).toBe('pg')
  expect(readDatabaseConfig({ DATABASE_URL: 'postgres://u:p@ep-1.eu.neon.tech/x' }).kind).toBe(
    'neon',
  )
  expect(readDatabaseConfig({ NETLIFY_DATABASE_URL: 'postgresql://u:p@neon.tech/x' }).kind).toBe(
    'neon',
  )
  expect(
    readDatabaseConfig({
      DATABASE_URL: 'postgres://u:p@db.local/x',
      NEON_FETCH_ENDPOINT: 'http://127.0.0.1:4444/sql',
    }),
  ).toMatchObject({ kind: 'neon', fetchEndpoint: 'http://127.0.0.1:4444/sql' })
})

test('a build that may not know the program’s address reads the live release as the owner', () => {
  const [own, owner] = ['postgres://own:p@db.local/x', 'postgres://owner:p@db.local/x']
  const read = (env: Record<string, string>) => readBuildDatabaseConfig(env)
  expect(read({ DATABASE_OWNER_URL: owner })).toMatchObject({ url: owner })
  expect(read({ DATABASE_URL: own, DATABASE_OWNER_URL: owner })).toMatchObject({ url: own })
  expect(read({}).kind).toBe('embedded')
})

test('a password for the first superuser that breaks a rule stops the start', () => {
  const env = { DATA_DIR: temporary(), ADMIN_PASSWORD: 'admin' }
  for (const others of [{}, { PORT: 'many', ADMIN_EMAIL: 'nobody' }])
    expect(() =>
      readConfig({ ...env, ...others }, { passwordRule: () => 'is too common' }),
    ).toThrow('ADMIN_PASSWORD: is too common')
})

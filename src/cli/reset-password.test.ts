import { once } from 'node:events'
import * as OTPAuth from 'otpauth'
import { expect, onTestFinished, test } from 'vitest'
import { addAccount } from '#cli/store/samples.ts'
import { sql } from '#server/db/drizzle.ts'
import { openEmbedded } from '#server/db/embedded/embedded.ts'
import { connectRemote } from '#server/db/remote.ts'
import { rows } from '#server/db/rows.ts'
import { newPostgres } from '#server/db/testing.ts'
import { content, setPublished } from '#site/content.ts'
import { newDataDir, newFolder, runCommand, runHere, startHost } from '#tests/processes.ts'

const post = async (url: string, path: string, body: object, token = '') => {
  const response = await fetch(`${url}/api/auth/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  return (await response.json()) as {
    token?: string
    secondFactor?: object
    data: { secret: string; recoveryCodes: string[] }
  }
}

test('the operator replaces a lost password, ends the wait after wrong ones and removes lost factors; the chained log tells a change of it', async () => {
  const password = 'a long and quiet walk'
  const env = { DATA_DIR: newDataDir(), ADMIN_PASSWORD: password }
  const account = { email: 'admin@localhost.test', password }
  const host = await startHost(env)
  const { token } = await post(host.url, 'login', account)
  const { data: enrolled } = await post(host.url, 'totp', {}, token)
  const secret = OTPAuth.Secret.fromBase32(enrolled.secret)
  const code = new OTPAuth.TOTP({ secret }).generate()
  expect((await post(host.url, 'totp/confirm', { code }, token)).data.recoveryCodes).toHaveLength(
    10,
  )
  const asked = await post(host.url, 'login', account)
  expect([asked.token, asked.secondFactor]).toEqual([undefined, expect.anything()])
  expect(await runCommand('audit-check', [], env)).toMatchObject({
    code: 0,
    output: expect.stringContaining('entries verified'),
  })
  for (let n = 0; n < 5; n += 1)
    await post(host.url, 'login', { ...account, password: 'a wrong password' })
  expect(await post(host.url, 'login', account)).toMatchObject({ code: 'rate_limited' })
  host.process.kill('SIGTERM')
  await once(host.process, 'exit')

  const unknown = await runHere('reset-password', ['nobody@localhost.test'], env)
  expect(unknown).toEqual({ code: 1, output: 'No account has the e-mail nobody@localhost.test.\n' })
  const replaced = await runHere('reset-password', ['Admin@localhost.test'], env)
  expect(replaced).toMatchObject({ code: 0, output: expect.stringMatching(/: \S+\n$/) })
  const removed = await runCommand('reset-password', [account.email, '--remove-factors'], env)
  expect(removed).toMatchObject({
    code: 0,
    output: expect.stringContaining('passkeys, authenticator app and recovery codes are gone'),
  })
  const [, latest = ''] = /: (\S+)\n/.exec(removed.output) ?? []
  const second = await startHost(env)
  const signedIn = await post(second.url, 'login', { ...account, password: latest })
  const audit = await fetch(`${second.url}/api/audit`, {
    headers: { Authorization: `Bearer ${signedIn.token}` },
  })
  const { data } = (await audit.json()) as { data: object[] }
  const byCommand = { by: null, via: 'command', kind: 'user.update', changes: {} }
  for (const entry of [
    { ...byCommand, fields: ['password'] },
    { by: null, via: 'start', kind: 'user.create' },
  ])
    expect(data).toContainEqual(expect.objectContaining(entry))
  second.process.kill('SIGTERM')
  await once(second.process, 'exit')

  const connection = await openEmbedded(`${env.DATA_DIR}/db`)
  const changed = await rows(
    connection.db,
    sql`update events set by = 'somebody' where id in (select event_id from audit_seals) returning id`,
  )
  await connection.close()
  expect(changed).not.toHaveLength(0)
  expect(await runHere('audit-check', [], env)).toMatchObject({
    code: 1,
    output: expect.stringContaining('The audit log was changed.'),
  })
})

test('the mail about a new password has the published name and the address of the site', async () => {
  const { url } = await newPostgres('migrated')
  const { db, close } = await connectRemote({ kind: 'pg', url })
  onTestFinished(close)
  const email = 'ada@example.test'
  await addAccount(db, { username: 'ada', email, hash: '', role: 'admin', days: 0 })
  const published = { brand: { ...content().brand, name: 'Kestrel' } }
  await rows(
    db,
    sql`insert into content_releases (n, state, documents, changes, moved, live_at)
      values (1, 'published', ${JSON.stringify(published)}::jsonb, '[]', '{}', now())`,
  )
  onTestFinished(() => setPublished({}))
  const env = { DATABASE_URL: url, DATA_DIR: newFolder() }
  const mail = () => rows(db, sql`select subject, text from mail`)
  expect(await runHere('reset-password', [email], env)).toMatchObject({
    code: 0,
    output: expect.stringContaining('SITE_URL is not set'),
  })
  await rows(db, sql`delete from mail`)
  const own = { ...env, SITE_URL: 'https://kestrel.example' }
  expect(await runHere('reset-password', [email], own)).toMatchObject({ code: 0 })
  expect(await mail()).toEqual([
    {
      subject: expect.stringContaining('| Kestrel'),
      text: expect.stringContaining('https://kestrel.example/admin/login'),
    },
  ])
})

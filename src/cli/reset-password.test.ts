import { once } from 'node:events'
import { expect, test } from 'vitest'
import { newDataDir, runCommand, startHost } from '#tests/processes.ts'

test('the operator replaces a lost password; the audit log says that a command did', async () => {
  const env = { DATA_DIR: newDataDir() }
  const first = await startHost(env)
  first.process.kill('SIGTERM')
  await once(first.process, 'exit')

  const unknown = await runCommand('reset-password', ['nobody@localhost.test'], env)
  expect(unknown).toEqual({ code: 1, output: 'No account has the e-mail nobody@localhost.test.\n' })
  const { code, output } = await runCommand('reset-password', ['Admin@localhost.test'], env)
  expect(code).toBe(0)
  const [, password] = /: (\S+)\n$/.exec(output) ?? []

  const { url } = await startHost(env)
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'admin@localhost.test', password }),
  })
  expect(login.status).toBe(200)
  const { token } = (await login.json()) as { token: string }
  const audit = await fetch(`${url}/api/audit`, { headers: { Authorization: `Bearer ${token}` } })
  expect(await audit.json()).toMatchObject({
    data: [
      { by: 'admin', kind: 'sign_in' },
      { by: null, via: 'command', kind: 'user.update', fields: ['password'], changes: {} },
      { by: null, via: 'start', kind: 'user.create' },
    ],
  })
})

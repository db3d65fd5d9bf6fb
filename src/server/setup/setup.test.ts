import { expect } from 'vitest'
import { ensureFirstSuperuser } from '#server/auth/first-superuser.ts'
import { signInAs } from '#server/auth/testing.ts'
import { answerOf, staff } from '#server/inbox/testing.ts'
import { test, testApi, testConfig, withPositions } from '#server/testing.ts'
import { sampleContent } from '#site/samples.ts'
import { newDataDir } from '#tests/processes.ts'

const states = (answer: { body: { data: { key: string; state: string }[] } }) =>
  Object.fromEntries(answer.body.data.map(({ key, state }) => [key, state]))

test('a superuser sees what is left to set up, skips it and takes it up again', async ({ db }) => {
  const content = withPositions({ gardener: {} })
  const positions = content.positions.map(({ id, data }) => ({
    id,
    data: { ...data, sample: true },
  }))
  const api = testApi(db, { content: { ...content, positions } })
  const boss = await staff(api)
  const first = await boss.get('/api/setup')
  expect(states(first)).toMatchObject({
    second_factor: 'open',
    site_address: 'done',
    mail: 'open',
    colleagues: 'open',
    templates: 'open',
    backup: 'open',
  })
  expect(
    first.body.data.find(({ key }: { key: string }) => key === 'sample_content'),
  ).toMatchObject({
    count: expect.any(Number),
    parts: expect.arrayContaining([{ collection: 'positions', count: 1 }]),
    where: '/admin/site',
  })
  expect(states(await boss.post('/api/setup/backup', { state: 'skipped' })).backup).toBe('skipped')
  expect(states(await boss.post('/api/setup/backup', { state: 'open' })).backup).toBe('open')
  expect((await boss.post('/api/setup/backup', { state: 'done' })).status).toBe(400)
  for (const { key, state } of first.body.data) {
    const skipped = await boss.post(`/api/setup/${key}`, { state: 'skipped' })
    expect(states(skipped)[key], key).toBe(state === 'done' ? 'done' : 'skipped')
    await boss.post(`/api/setup/${key}`, { state: 'open' })
  }
  expect((await boss.post('/api/setup/coffee', { state: 'skipped' })).status).toBe(404)

  await staff(api, 'editor')
  await boss.post('/api/templates', { name: 'Mine', text: 'Hello' })
  expect(states(await boss.get('/api/setup'))).toMatchObject({
    colleagues: 'done',
    templates: 'done',
  })
})

test('samples of what is switched off are not left to replace', async ({ db }) => {
  const { brand, positions, ...content } = withPositions({ gardener: {} })
  const features = { ...brand.features, careers: false }
  const marked = positions.map(({ id, data }) => ({ id, data: { ...data, sample: true } }))
  const api = testApi(db, {
    content: { ...content, positions: marked, brand: { ...brand, features } },
  })
  const { data } = (await (await staff(api)).get('/api/setup')).body
  const { parts } = data.find(({ key }: { key: string }) => key === 'sample_content')
  expect(parts.map(({ collection }: { collection: string }) => collection)).not.toContain(
    'positions',
  )
})

test('the dashboard counts the samples that the notice on each page counts', async ({ api }) => {
  const { data } = (await (await staff(api)).get('/api/setup')).body
  expect(data.find(({ key }: { key: string }) => key === 'sample_content').count).toBe(
    sampleContent().reduce((sum, { count }) => sum + count, 0),
  )
})

test('the generated password is still to be replaced until a new one is set', async ({ api }) => {
  const made = await ensureFirstSuperuser(api.deps)
  const { email, password } = made ?? { email: '', password: '' }
  const signIn = async (account: { email: string; password: string }) => {
    const answer = await answerOf(await api.request('/api/auth/login', { body: account }))
    return answer.body as { token: string; user: { id: string } }
  }
  const stateFor = async ({ token }: { token: string }) =>
    states(await answerOf(await api.request('/api/setup', { token }))).password

  const { token, user } = await signIn({ email, password })
  expect(await stateFor({ token })).toBe('open')
  const own = `/api/users/${user.id}`
  await api.request(`${own}/sessions`, { method: 'DELETE', token })
  const again = await signIn({ email, password })
  expect(await stateFor(again)).toBe('open')
  const moved = { email: 'moved@agency.test' }
  await api.request(own, { method: 'PUT', body: moved, token: again.token })
  const there = await signIn({ ...moved, password })
  expect(await stateFor(there)).toBe('open')

  const change = { currentPassword: password, newPassword: 'nine wandering albatrosses' }
  const changed = await api.request('/api/auth/password', { body: change, token: there.token })
  expect(await stateFor((await answerOf(changed)).body)).toBe('done')
})

test('an address of this machine alone is still to be set', async ({ db }) => {
  const boss = await signInAs({ db, config: testConfig }, 'superuser')
  const stateAt = async (siteUrl: string) => {
    const { request } = testApi(db, { config: { ...testConfig, siteUrl } })
    return states(await answerOf(await request('/api/setup', { token: boss.token }))).site_address
  }
  for (const url of ['http://localhost:4321', 'http://127.0.0.1:4321', 'http://[::1]:4321'])
    expect(await stateAt(url), url).toBe('open')
  for (const url of ['https://localhost-tours.example', 'https://127.tours.example'])
    expect(await stateAt(url), url).toBe('done')
})

test('a test mail says what came back, and a sent one marks mail as done', async ({ db }) => {
  const api = testApi(db, { config: { ...testConfig, dataDir: newDataDir() } })
  const boss = await staff(api)
  const { body } = await boss.post('/api/setup/mail/test')
  expect(body.data).toMatchObject({
    sent: true,
    to: 'superuser@staff.test',
    problem: null,
    local: true,
  })
  const setup = await boss.get('/api/setup')
  expect(states(setup).mail).toBe('done')
  expect(setup.body.data).toContainEqual(
    expect.objectContaining({ key: 'mail', now: expect.stringContaining('nothing leaves') }),
  )

  const broken = testApi(db, { config: { ...testConfig, dataDir: '/dev/null/nowhere' } })
  const again = await staff(broken, 'superuser', 'other')
  const failed = await again.post('/api/setup/mail/test')
  expect(failed.body.data).toMatchObject({
    sent: false,
    problem: expect.stringContaining('mailbox'),
  })
  expect(states(await again.get('/api/setup')).mail).toBe('open')
})

test('mail that was sent cannot be skipped, and mail that was skipped stays so when a test fails', async ({
  db,
}) => {
  const boss = await staff(testApi(db, { config: { ...testConfig, dataDir: newDataDir() } }))
  const skip = async () => states(await boss.post('/api/setup/mail', { state: 'skipped' })).mail
  expect(await skip()).toBe('skipped')
  const broken = testApi(db, { config: { ...testConfig, dataDir: '/dev/null/nowhere' } })
  const other = await staff(broken, 'superuser', 'other')
  await other.post('/api/setup/mail/test')
  expect(states(await boss.get('/api/setup')).mail).toBe('skipped')

  await boss.post('/api/setup/mail/test')
  expect(await skip()).toBe('done')
  await other.post('/api/setup/mail/test')
  expect(states(await boss.get('/api/setup')).mail).toBe('open')
})

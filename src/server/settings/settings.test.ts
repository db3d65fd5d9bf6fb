import { expect } from 'vitest'
import { roles } from '#contract/http/access.ts'
import { signInAs } from '#server/auth/testing.ts'
import { staff, test } from '#server/inbox/testing.ts'

const PATH = '/api/me/settings'

test('each of the staff has settings of their own, and changes what they send', async ({ api }) => {
  const ada = await staff(api, 'reviewer', 'ada')
  const grace = await staff(api, 'editor', 'grace')
  const unsigned = { displayName: null, signature: '' }
  const first = { digest: 'off', density: 'compact', shortcuts: true, ...unsigned }
  expect((await ada.get(PATH)).body.data).toEqual({ ...first, vapidPublicKey: null })
  expect((await ada.put(PATH, { density: 'comfortable' })).body.data).toEqual({
    ...first,
    density: 'comfortable',
  })
  expect(
    (await ada.put(PATH, { digest: 'daily', shortcuts: false, role: 'superuser' })).status,
  ).toBe(200)
  expect((await ada.put(PATH, {})).status).toBe(200)
  expect((await ada.get(PATH)).body.data).toEqual({
    ...unsigned,
    digest: 'daily',
    density: 'comfortable',
    shortcuts: false,
    vapidPublicKey: null,
  })
  expect((await grace.get(PATH)).body.data).toMatchObject(first)
})

test('settings that there are not are refused by name', async ({ api }) => {
  const ada = await staff(api, 'reviewer')
  for (const body of [
    { digest: 'weekly' },
    { density: null },
    { shortcuts: 'false' },
    { digest: 'daily', density: 1 },
  ]) {
    const { status, body: answer } = await ada.put(PATH, body)
    expect(status).toBe(400)
    expect(Object.keys(answer.fields)).toHaveLength(1)
  }
  expect((await ada.get(PATH)).body.data.digest).toBe('off')
})

test('settings end with their account', async ({ api, superuser }) => {
  for (const role of roles.slice(1, 4)) {
    const one = await staff(api, role)
    expect((await one.put(PATH, { shortcuts: false })).status).toBe(200)
    expect((await superuser.delete(`/api/users/${one.id}`)).status).toBe(200)
  }
})

test('settings that are sent while their account is deleted are no error', async ({ api }) => {
  const superuser = await staff(api, 'superuser')
  const { id, token } = await signInAs(api.deps, 'reviewer', 'reviewer')
  // A body is read once it is known who sends it.
  const body = new ReadableStream(
    {
      async pull(controller) {
        expect((await superuser.delete(`/api/users/${id}`)).status).toBe(200)
        controller.enqueue(new TextEncoder().encode('{"shortcuts":false}'))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { 'Content-Type': 'application/json' }
  expect((await api.request(PATH, { method: 'PUT', token, headers, body })).status).toBe(401)
})

import { expect } from 'vitest'
import { resetDemo } from '#netlify/demo.ts'
import { signInAs } from '#server/auth/testing.ts'
import { samples } from '#server/intake/samples.ts'
import { test } from '#server/testing.ts'

test('a demonstration forgets what visitors left and shows the same records again', async ({
  api,
  db,
}) => {
  const { token } = await signInAs(api.deps, 'reviewer')
  const names = async () => {
    const list = await api.request('/api/contacts?limit=200', { token })
    const { data, meta } = (await list.json()) as {
      data: { name: string }[]
      meta: { total: number }
    }
    expect(meta.total).toBe(data.length)
    return data.map(({ name }) => name)
  }
  await resetDemo(db)
  const first = await names()
  await api.request('/api/contacts', { body: samples.contacts })
  expect(await names()).toContain(samples.contacts.name)
  await resetDemo(db)
  expect(await names()).toEqual(first)
  expect(first.length).toBe(40)
})

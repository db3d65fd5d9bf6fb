import { type Staff, staff } from '#server/inbox/testing.ts'
import type { TestApi } from '#server/testing.ts'

const every = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }))

/** Hours that are free at any time, so that a test depends on no date. */
export const always = {
  timeZone: 'UTC',
  weekly: every,
  minutes: 30,
  buffer: 0,
  noticeHours: 1,
  horizonDays: 30,
  place: 'https://meet.example/room',
}

export const host = async (
  api: TestApi,
  username = 'eli',
  changes: Partial<typeof always> & { busyUrl?: string } = {},
): Promise<Staff> => {
  const one = await staff(api, 'editor', username)
  const saved = await one.put('/api/me/hours', { ...always, ...changes })
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body))
  return one
}

/** A whole hour some days ahead, as ISO 8601. */
export const inDays = (days: number, hour = 10): string => {
  const now = new Date()
  return new Date(
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days, hour),
  ).toISOString()
}

import type { Role } from '#contract/http/access.ts'
import type { KindPath } from '#contract/inbox.ts'
import { signInAs } from '#server/auth/testing.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { rows } from '#server/db/rows.ts'
import { samples } from '#server/intake/samples.ts'
import { test as apiTest, type TestApi } from '#server/testing.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer is what the test says it is
export type Json = any

export interface Answer {
  status: number
  body: Json
}

export const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  body: await response.json(),
})

export const staff = async (api: TestApi, role: Role = 'superuser', username: string = role) => {
  const { id, token } = await signInAs(api.deps, role, username)
  const call =
    (method: string) =>
    async (path: string, body?: unknown): Promise<Answer> =>
      answerOf(await api.request(path, { method, body, token }))
  return {
    id,
    username,
    get: call('GET'),
    post: call('POST'),
    put: call('PUT'),
    delete: call('DELETE'),
    fetch: (path: string) => api.request(path, { token }),
  }
}
export type Staff = Awaited<ReturnType<typeof staff>>

/** Vitest's `test` with `api`, and with somebody of each role that a test names. */
export const test = apiTest
  .extend('reviewer', ({ api }) => staff(api, 'reviewer'))
  .extend('editor', ({ api }) => staff(api, 'editor'))
  .extend('admin', ({ api }) => staff(api, 'admin'))
  .extend('superuser', ({ api }) => staff(api, 'superuser'))

let submissions = 0

/** Submits as a visitor would, each from an address and with a text of its own; the record's id. */
export const submit = async (
  api: TestApi,
  kind: KindPath = 'contacts',
  changes: Record<string, unknown> = {},
): Promise<string> => {
  submissions += 1
  const text = kind === 'applications' ? 'coverLetter' : 'message'
  const response = await api.request(`/api/${kind}`, {
    body: { ...samples[kind], [text]: `Text number ${submissions}.`, ...changes },
    ip: `198.51.${(submissions >> 8) % 256}.${submissions % 256}`,
  })
  const answer = (await response.json()) as Json
  if (response.status !== 201) throw new Error(JSON.stringify(answer))
  return answer.data._id
}

export const idsOf = (answer: Answer): string[] => answer.body.data.map((one: Json) => one._id)

/** Moves a record's arrival into the past, and with it what was promised, as only a test can. */
export const backdate = (db: Database, kind: KindPath, id: string, at: SQL): Promise<unknown> =>
  rows(
    db,
    sql`update ${sql.identifier(kind)} set due_at = (${at})::timestamptz + (due_at - created_at), created_at = ${at}
      where id = ${id}::uuid`,
  )

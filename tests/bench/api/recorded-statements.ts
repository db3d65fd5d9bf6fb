import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { type Database, fillPlaceholders, type Query } from '#server/db/drizzle.ts'
import { contactBody } from './client.ts'

export interface Statement {
  sql: string
  params: unknown[]
}

/** The statements that the app itself runs for the first `count` contact messages. */
export const recordStatements = async (count: number): Promise<Statement[]> => {
  const statements: Statement[] = []
  const recorder = {
    _: {
      session: {
        prepareQuery: ({ sql, params }: Query) => ({
          execute(values: Record<string, unknown>) {
            statements.push({ sql, params: fillPlaceholders(params, values) })
            const row = { createdAt: new Date().toISOString(), isSpam: true }
            return Promise.resolve({ rows: [row], fields: [] })
          },
        }),
      },
    },
  }
  const app = createApp({
    publicPage: async () => undefined,
    visits: { add: async () => {}, fold: async () => {} },
    config: readConfig({
      DATABASE_URL: 'postgres://nobody@127.0.0.1/nowhere',
      AUTH_SECRET: 'a secret for the bench that is long enough',
    }),
    db: recorder as unknown as Database,
    log() {},
    deliver: () => Promise.resolve(),
    page: () => Promise.resolve(undefined),
    warnings: () => Promise.resolve([]),
  })
  for (let n = 0; n < count; n += 1) {
    const request = new Request('http://127.0.0.1/api/contacts', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: contactBody(`recorded-${n}`),
    })
    const answer = await app.fetch(request, { ip: `recorded-${n}`, afterResponse() {} })
    if (answer.status !== 201 || statements.length !== n + 1) {
      throw new Error(`${answer.status} after ${statements.length} statements`)
    }
  }
  return statements
}

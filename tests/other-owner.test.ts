import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Content } from '#contract/content/collections.ts'
import { test } from '#server/db/testing.ts'
import { samples } from '#server/intake/samples.ts'
import { leaveNow, sendDue, submitAndOpen } from '#server/status-page/testing.ts'
import { testApi } from '#server/testing.ts'
import { host, inDays } from '#server/times/testing.ts'
import { content, setPublished } from '#site/content.ts'

const FOLDER = 'tests/fixtures/other-site'

/** The content of another agency, as `npm run build` reads it from files. */
const others = Object.fromEntries(
  readdirSync(FOLDER).map((file) => {
    const json = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))
    const isList = Array.isArray(json)
    return [
      file.replace('.json', ''),
      isList ? json.map(({ id, ...data }) => ({ id, data })) : json,
    ]
  }),
) as unknown as Content

const former = content().brand

/** The set may be the site's own content: then nobody else's traces can be left. */
const isOwn = former.name === others.brand.name

test.skipIf(isOwn)(
  'mails, calendar files, answers and their description name the owner of the site alone',
  async ({ db }) => {
    setPublished(others)
    onTestFinished(() => setPublished({}))
    const api = testApi(db)
    const said: unknown[] = []

    const eli = await host(api)
    const service = others['consultation-services'][0]?.id
    const sender = await submitAndOpen(api, 'consultations', { service })
    said.push(await sendDue(api))
    const path = `/api/consultations/${sender.id}`
    const start = inDays(3)
    said.push((await eli.post(`${path}/times`, { slots: [start] })).body, await leaveNow(api))
    said.push((await sender.post('/times', { start })).body, await sendDue(api))
    said.push((await eli.get(path)).body, (await sender.get()).body)
    said.push((await sender.post('/times/cancel', {})).body, await sendDue(api))
    for (const [kind, more] of [
      ['contacts', {}],
      ['applications', { position: others.positions[0]?.id }],
    ] as const) {
      const answer = await api.request(`/api/${kind}`, { body: { ...samples[kind], ...more } })
      expect(answer.status).toBe(201)
      said.push(await answer.json(), await sendDue(api))
    }
    for (const call of ['/api/openapi.json', '/api/health', '/api/nothing', '/preview/nothing'])
      said.push(await (await api.request(call)).text())

    // The test's own address is no text of the program.
    const text = JSON.stringify(said).replaceAll('fledge.test', '')
    expect(text).toContain(others.brand.name)
    expect(text).toContain('BEGIN:VCALENDAR')
    const { email, address } = former.contact
    for (const trace of [former.name, former.claim, email, address.street])
      expect(text.toLowerCase()).not.toContain(trace.toLowerCase())
  },
)

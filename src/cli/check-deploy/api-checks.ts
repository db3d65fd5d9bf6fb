import { randomUUID } from 'node:crypto'
import { apiHeaders } from '#server/http/answer.ts'
import { type Answer, jsonOf } from './answer.ts'
import { Broken, type Check, type Deploy, headerProblem, requireNone } from './check.ts'

const json = { 'Content-Type': 'application/json' }
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

interface Envelope {
  success?: boolean
  code?: string
  message?: string
  fields?: Record<string, string[]>
  data?: { _id?: string; status?: string; database?: string; version?: string }
}

const envelope = (answer: Answer): Envelope => (jsonOf(answer) ?? {}) as Envelope

const health: Check = {
  name: 'health',
  remedy:
    '404: the functions were not deployed. 503: DATABASE_URL is wrong, the database sleeps or lacks a migration; the function’s log names missing settings.',
  async run(deploy) {
    const answer = await deploy.get('/api/health')
    const { data } = envelope(answer)
    if (answer.status !== 200 || data?.status !== 'ok' || data.database !== 'ok') {
      throw new Broken(`/api/health answers ${answer.status}`)
    }
    return `the product, version ${data.version}, and its database answer`
  },
}

const api: Check = {
  name: 'API',
  remedy:
    'The function sets these headers itself. Remove header rules of the host or proxy for /api/*, and keep /api/* out of caches and rewrites.',
  async run(deploy) {
    const answer = await deploy.get('/api/no-such-call')
    const { success, code } = envelope(answer)
    requireNone([
      answer.status === 404 && success === false && code === 'not_found'
        ? undefined
        : `an unknown call answers ${answer.status}, not 404 as JSON`,
      ...Object.entries(apiHeaders(answer.header('X-Request-Id') ?? '')).map(([name, value]) =>
        headerProblem(answer, name, value),
      ),
      answer.header('Access-Control-Allow-Origin') === undefined
        ? undefined
        : 'other sites may read the API (Access-Control-Allow-Origin)',
    ])
    return 'an unknown call is a 404, with headers of its own'
  },
}

/** A text that nobody takes for a visitor’s message. */
const testContact = (deploy: Deploy) => ({
  name: 'Test by check-deploy',
  email: deploy.sendTo ?? '',
  message: `A test submission (${randomUUID()}) by npm run check-deploy. Nobody wrote it; it can be deleted.`,
})

const withScript: Check = {
  name: 'form with script',
  remedy: 'Look at the log of the function `api` at this minute; submissions would be lost.',
  async run(deploy) {
    const refused = await deploy.ask('/api/contacts', { method: 'POST', headers: json, body: '{}' })
    const { code, fields = {} } = envelope(refused)
    if (refused.status !== 400 || code !== 'invalid' || !fields.email) {
      throw new Broken(`an empty form is answered with ${refused.status}, not 400 and its fields`)
    }
    if (!deploy.sendTo) return 'an empty form is refused field by field; nothing was stored'
    const body = JSON.stringify(testContact(deploy))
    const headers = { ...json, 'Idempotency-Key': randomUUID() }
    const ids: (string | undefined)[] = []
    for (let time = 1; time <= 2; time += 1) {
      const answer = await deploy.ask('/api/contacts', { method: 'POST', headers, body })
      if (answer.status !== 201) throw new Broken(`a submission is answered with ${answer.status}`)
      ids.push(envelope(answer).data?._id)
    }
    const [id] = ids
    if (!id || ids[1] !== id) throw new Broken('a submission that was sent twice is stored twice')
    deploy.stored.push(id)
    return 'an empty form is refused; a test submission, sent twice, was stored once'
  },
}

const withoutScript: Check = {
  name: 'form without script',
  remedy:
    'Look at the log of the function `api`. A page without the form in it: .build/server-pages.json was not packed with the function (included_files in netlify.toml).',
  async run(deploy) {
    const post = (fields: Record<string, string>) =>
      deploy.ask('/api/contacts', {
        method: 'POST',
        headers: form,
        body: new URLSearchParams(fields).toString(),
      })
    const refused = await post({ name: 'Test by check-deploy' })
    requireNone([
      refused.status === 400 ? undefined : `an unfinished form is answered with ${refused.status}`,
      refused.header('content-type')?.startsWith('text/html') ? undefined : 'the answer is no page',
      /<form[^>]* action="\/api\/contacts"/.test(refused.text) &&
      refused.text.includes('Test by check-deploy')
        ? undefined
        : 'the page does not keep what was typed',
      /^default-src 'none'/.test(refused.header('content-security-policy') ?? '')
        ? undefined
        : 'the page has no policy, or several',
    ])
    if (!deploy.sendTo) return 'an unfinished form comes back with what was typed'
    const { status, header } = await post(testContact(deploy))
    const location = header('location') ?? '/'
    if (status !== 303 || new URL(location, deploy.url).pathname !== '/thanks/contacts') {
      throw new Broken(`a submission is answered with ${status}, not 303 to /thanks/contacts`)
    }
    return 'an unfinished form comes back with what was typed; a test submission led to the thanks'
  },
}

const signIn: Check = {
  name: 'sign-in',
  remedy: 'Do not use this deploy until this is understood: staff data may be open to everybody.',
  async run(deploy) {
    const wrong = await deploy.ask('/api/auth/login', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ email: 'check-deploy@example.com', password: randomUUID() }),
    })
    // Five attempts in 15 minutes: a deploy that is checked often refuses to look.
    const isRefused =
      (wrong.status === 401 && envelope(wrong).message === 'Invalid credentials') ||
      wrong.status === 429
    const staffCalls = ['/api/contacts', '/api/users', '/api/stats', '/api/audit', '/api/mail']
    const open = await Promise.all(staffCalls.map((path) => deploy.ask(path, {})))
    requireNone([
      isRefused ? undefined : `a wrong password is answered with ${wrong.status}`,
      ...open.map(({ url, status }) =>
        status === 401 ? undefined : `${url} answers ${status} without a sign-in`,
      ),
    ])
    return `a wrong password and ${staffCalls.length} staff calls without one are refused`
  },
}

export const apiChecks: Check[] = [health, api, withScript, withoutScript, signIn]

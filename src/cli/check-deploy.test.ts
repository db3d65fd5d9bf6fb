import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { queryRewrites, redirectsFile } from '#site/build/redirects.ts'
import { end, type Started, serve } from '#tests/launch.ts'
import { newDataDir, runCommand, runHere, shortLived } from '#tests/processes.ts'
import { apiChecks } from './check-deploy/api-checks.ts'
import { type Check, openDeploy, outcomeOf } from './check-deploy/check.ts'
import { pageChecks } from './check-deploy/page-checks.ts'
import { removeTests, staffChecks } from './check-deploy/staff-checks.ts'

const superuser = { email: 'owner@example.test', password: 'three quiet herons wade' }
let host: Started
let token = ''

beforeAll(async () => {
  const account = { ADMIN_EMAIL: superuser.email, ADMIN_PASSWORD: superuser.password }
  host = await serve({ DATA_DIR: newDataDir(), ...account }, shortLived)
  const answer = await fetch(`${host.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(superuser),
  })
  token = ((await answer.json()) as { token: string }).token
}, 60_000)

afterAll(() => end(host.process))

test('a deploy that keeps its promises passes, and nothing is stored unless it is asked for', async () => {
  const { code, output } = await runCommand('check-deploy', [host.url], { CHECK_TOKEN: token })
  expect([code, output]).toEqual([0, expect.stringContaining('14 kept, 0 broken, 0 not checked')])
  expect(await contactsIn('inbox')).toEqual([])
}, 60_000)

test('what only staff can see is skipped without a token, and says how to get one', async () => {
  const { code, output } = await runHere('check-deploy', [host.url], {})
  expect(code).toBe(0)
  expect(output).toContain('– mail queue: cannot be seen from outside')
  expect(output).toContain('CHECK_TOKEN')
  expect(output).toContain('12 kept, 0 broken, 2 not checked')
}, 60_000)

test('a token that is not valid says how to get one, and not where to look for lost mail', async () => {
  const { code, output } = await runHere('check-deploy', [host.url], { CHECK_TOKEN: 'undefined' })
  expect([code, output]).toEqual([1, expect.stringContaining('12 kept, 2 broken')])
  expect(output).toContain('→ Sign in to the admin')
  expect(output).not.toContain('RESEND_API_KEY')
}, 60_000)

test('a test submission is marked, goes through the queue, and is put into the trash', async () => {
  const { code, output } = await runHere('check-deploy', [host.url, '--send', 'me@example.test'], {
    CHECK_TOKEN: token,
  })
  expect([code, output]).toEqual([0, expect.stringContaining('has left')])
  expect(output).toContain('The test submissions are in the trash.')
  expect(await contactsIn('inbox')).toEqual([])
  expect(await contactsIn('trash')).toEqual(['Test by check-deploy', 'Test by check-deploy'])
}, 60_000)

test('without an address it says how it is used', async () => {
  const { code, output } = await runHere('check-deploy', ['www.example.com'], {})
  expect([code, output]).toEqual([1, expect.stringContaining('npm run check-deploy -- https://')])
})

test('where nothing answers it says that alone', async () => {
  const { code, output } = await runHere('check-deploy', ['http://127.0.0.1:1'], {})
  expect([code, output]).toEqual([1, expect.stringContaining('could not be asked')])
  expect(output).not.toContain('staff data')
})

test('an address that is not encrypted, or answers nothing, breaks every promise about it', async () => {
  const [, encryption] = pageChecks as [Check, Check]
  for (const address of ['http://www.example.test', 'http://127.0.0.1.example.test'])
    expect(await outcomeOf(encryption, openDeploy(new URL(address)))).toMatchObject({
      state: 'broken',
    })
  const gone = openDeploy(new URL('http://127.0.0.1:1'))
  for (const one of apiChecks) {
    expect(await outcomeOf(one, gone)).toMatchObject({
      state: 'broken',
      text: expect.stringContaining('could not be asked'),
    })
  }
})

/** An answer on its way through the server that breaks a promise. */
interface Passing {
  status: number
  headers: IncomingHttpHeaders
  body: string | Buffer
}

type Break = (answer: Passing, asked: { path: string; method: string }) => void

/** The host behind a server that changes its answers. Its sitemap names a few pages only. */
async function breaking(change: Break): Promise<URL> {
  const server = createServer(async (incoming, outgoing) => {
    const { url = '', method = '', headers } = incoming
    const sent = request(host.url + url, { method, headers })
    incoming.pipe(sent)
    const [got] = (await once(sent, 'response')) as [IncomingMessage]
    const answer: Passing = {
      status: got.statusCode ?? 502,
      headers: { ...got.headers },
      body: await buffer(got),
    }
    if (url === '/sitemap-0.xml') {
      answer.body = ['/', '/about', '/consultation-form', '/faq']
        .map((path) => `<loc>${host.url}${path}</loc>`)
        .join('')
    }
    change(answer, { path: url, method })
    const { 'content-length': _, 'transfer-encoding': __, ...kept } = answer.headers
    outgoing.writeHead(answer.status, kept).end(answer.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

/** A page that can be read as text. */
const isPage = ({ headers }: Passing) =>
  String(headers['content-type']).startsWith('text/html') && !headers['content-encoding']
const replace = (answer: Passing, from: string, to: string) => {
  answer.body = String(answer.body).replace(from, to)
}
const doubled = (name: string): Break => {
  return ({ headers }) => {
    const value = headers[name]
    // As two rules that both match an address give it.
    headers[name] = value === undefined ? [] : [String(value), String(value)]
  }
}
const joined = (name: string): Break => {
  return ({ headers }) => {
    if (headers[name]) headers[name] = `${headers[name]}, ${headers[name]}`
  }
}
const without = (name: string): Break => {
  return ({ headers }) => {
    delete headers[name]
  }
}
const onlyAt =
  (pattern: RegExp, change: Break): Break =>
  (answer, asked) => {
    if (pattern.test(asked.path)) change(answer, asked)
  }
const answering =
  (status: number): Break =>
  (answer) => {
    answer.status = status
  }

const broken: [promise: string, change: Break, checks: readonly Check[], fails: string[]][] = [
  ['a page is missing', onlyAt(/^\/faq$/, answering(404)), pageChecks, ['pages']],
  ['an unknown address answers 200', onlyAt(/^\/no\//, answering(200)), pageChecks, ['pages']],
  ['a header is missing', without('strict-transport-security'), pageChecks, ['headers']],
  ['a header is sent twice', doubled('referrer-policy'), pageChecks, ['headers']],
  ['two policies are joined', joined('content-security-policy'), pageChecks, ['headers', 'policy']],
  ['the admin is indexed', onlyAt(/^\/admin/, without('x-robots-tag')), pageChecks, ['headers']],
  [
    'a script is put into pages',
    (answer) => {
      if (isPage(answer)) replace(answer, '</body>', '<script>count()</script></body>')
    },
    pageChecks,
    ['policy'],
  ],
  [
    'a script file is changed',
    onlyAt(/^\/_astro\/common\./, (answer) => replace(answer, ';', ' ;')),
    pageChecks,
    ['scripts'],
  ],
  [
    'hashed files are asked for each time',
    onlyAt(/^\/_astro\//, ({ headers }) => {
      headers['cache-control'] = 'no-cache'
    }),
    pageChecks,
    ['caching'],
  ],
  [
    'a slash at the end is left alone',
    onlyAt(/^\/about\/$/, answering(200)),
    pageChecks,
    ['redirects'],
  ],
  [
    'a form forgets what it is for',
    onlyAt(/\?service=/, (answer, { path }) => replace(answer, path.split('=')[1] ?? '', 'custom')),
    pageChecks,
    ['redirects'],
  ],
  ['the database is away', onlyAt(/health$/, answering(503)), apiChecks, ['health']],
  [
    'other sites may read the API',
    onlyAt(/^\/api\//, ({ headers }) => {
      headers['access-control-allow-origin'] = '*'
    }),
    apiChecks,
    ['API'],
  ],
  [
    'forms are not answered',
    onlyAt(/^\/api\/contacts$/, (answer, { method }) => {
      if (method === 'POST') answer.status = 502
    }),
    apiChecks,
    ['form with script', 'form without script'],
  ],
  [
    'a refused form is an empty page',
    (answer, { path }) => {
      if (path.startsWith('/api/') && isPage(answer)) answer.body = '<p>Something is wrong.</p>'
    },
    apiChecks,
    ['form without script'],
  ],
  ['a staff call is open', onlyAt(/^\/api\/users$/, answering(200)), apiChecks, ['sign-in']],
  ['any password is right', onlyAt(/login$/, answering(200)), apiChecks, ['sign-in']],
  [
    'mail does not leave',
    onlyAt(/^\/api\/mail/, (answer) => {
      answer.body = JSON.stringify({
        data: [{ nextAttemptAt: '2020-01-01T00:00:00.000Z', record: null }],
      })
    }),
    staffChecks,
    ['mail queue'],
  ],
  [
    'a schedule does not run',
    onlyAt(/^\/api\/stats/, (answer) =>
      replace(answer, '"warnings":[', '"warnings":["retention_overdue"'),
    ),
    staffChecks,
    ['schedules'],
  ],
]

test.for(broken)('it is told when %s', { timeout: 60_000 }, async ([, change, checks, fails]) => {
  const deploy = openDeploy(await breaking(change), { token })
  const found: string[] = []
  for (const one of checks) {
    const { state, name, remedy } = await outcomeOf(one, deploy)
    if (state === 'kept') continue
    found.push(name)
    expect(remedy).not.toBe('')
  }
  expect(found).toEqual(fails)
})

test('pages that staff have removed since the build break no promise', async () => {
  const [variant] = queryRewrites()
  const former = [...redirectsFile(true).matchAll(/^(\S+) (\S+) 301/gm)]
  const gone = [variant?.to, ...former.flatMap(([, from, to]) => [from, to])]
  const url = await breaking((answer, { path }) => {
    if (gone.includes(path)) answer.status = 404
    if (path === `${variant?.from}?${variant?.query}=${variant?.value}`)
      answer.body = 'Another form'
  })
  const deploy = openDeploy(url)
  for (const one of pageChecks)
    expect(await outcomeOf(one, deploy)).toMatchObject({ state: 'kept' })
})

test('a test submission whose mail is refused for good has not left', async () => {
  let asked = 0
  const url = await breaking((answer, { path }) => {
    // Waiting at the first look, failed at the next.
    if (path.startsWith('/api/mail')) {
      asked += 1
      const waiting = asked === 1 ? [{ nextAttemptAt: null, record: { _id: 'test' } }] : []
      answer.body = JSON.stringify({ data: waiting })
    }
    if (path.startsWith('/api/stats'))
      answer.body = JSON.stringify({ data: { mail: { failed: asked > 1 ? 1 : 0 } } })
  })
  const deploy = openDeploy(url, { token })
  deploy.stored.push('test')
  const [queue] = staffChecks as [Check]
  expect(await outcomeOf(queue, deploy)).toMatchObject({
    state: 'broken',
    text: expect.stringContaining('failed for good'),
  })
})

test('test submissions that cannot be deleted are named', async () => {
  for (const status of [401, 503]) {
    const url = await breaking(onlyAt(/^\/api\/contacts\?/, answering(status)))
    const deploy = openDeploy(url, { token, sendTo: 'me@example.test' })
    expect(await removeTests(deploy)).toContain('delete them there')
  }
})

async function contactsIn(box: string): Promise<string[]> {
  const answer = await fetch(`${host.url}/api/contacts?box=${box}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  return ((await answer.json()) as { data: { name: string }[] }).data.map(({ name }) => name)
}

import { expect } from 'vitest'
import { consultations } from '#contract/consultations.ts'
import type { BuiltPage } from '#server/deps.ts'
import { test, testApi } from '#server/testing.ts'
import { content, serviceLabel } from '#site/content.ts'
import { samples } from './samples.ts'

const field = (name: string, control: string) =>
  `${control}<p class="err" id="consultations-${name}-error"><span>Refused</span></p>`

const input = (name: string) =>
  field(
    name,
    `<p id="consultations-${name}-hint">Hint</p><input id="consultations-${name}" name="${name}" aria-invalid="true" aria-describedby="consultations-${name}-hint consultations-${name}-error">`,
  )

/** Those that are no input of their own. */
const drawnOtherwise = ['service', 'plan', 'message']

/** As the build draws it: every field refused. */
const builtPage: BuiltPage = {
  html: [
    '<h1>Request</h1><p class="intro">About <span>Choice</span></p>',
    '<div role="alert"><h2>Heading</h2><p class="what">Message</p>',
    '<ul><li><a href="#x">Problem</a></li></ul><p class="soft">Detail</p></div>',
    '<div class="read-only"><output></output><input type="hidden" name="service" value=""></div>',
    '<div class="from"><a href="#x">Change</a><dl><div class="plan-answer"><dt>Goal</dt><dd>Answer</dd></div></dl>',
    ...['goal', 'size', 'content', 'when', 'by'].map(
      (name) => `<input type="hidden" name="plan_${name}" value="">`,
    ),
    '</div>',
    ...consultations.fieldNames.filter((name) => !drawnOtherwise.includes(name)).map(input),
    field('message', '<textarea id="consultations-message" aria-invalid="true"></textarea>'),
    field('agree', '<input type="checkbox" id="consultations-agree" aria-invalid="true">'),
  ].join(''),
  csp: "default-src 'none'; script-src 'sha256-x'",
}

const typed = {
  service: String(samples.consultations.service),
  name: 'Asha <b>Rao</b>',
  email: 'asha@bakery',
  phone: '12345',
  message: 'A "shop" & <b>bread</b> </textarea><script>',
  preferredDate: String(samples.consultations.preferredDate),
  agree: 'on',
}

const postForm = (fields: Record<string, string>) => ({
  body: new URLSearchParams(fields),
})

test('a refused form comes back whole, with its problems and every value, escaped', async ({
  db,
}) => {
  const asked: string[] = []
  const api = testApi(db, {
    page: async (name) => {
      asked.push(name)
      return builtPage
    },
  })
  const response = await api.request('/api/consultations', postForm(typed))
  const html = await response.text()

  expect(asked).toEqual(['refused/consultations'])
  expect(response.status).toBe(400)
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('Content-Security-Policy')).toBe(builtPage.csp)
  expect(html).toContain(`<span>${serviceLabel(typed.service)}</span>`)
  expect(html).toContain(`<output>${serviceLabel(typed.service)}</output>`)
  expect(html).toContain(`name="service" value="${typed.service}"`)
  const invalid = 'aria-invalid="true" value="asha@bakery"'
  const described = (ids: string) => `aria-describedby="${ids}"`
  expect(html).toContain(
    `name="email" ${described('consultations-email-hint consultations-email-error')} ${invalid}`,
  )
  expect(html).toContain(
    `name="name" ${described('consultations-name-hint')} value="Asha &lt;b&gt;Rao&lt;/b&gt;"`,
  )
  expect(html).toContain(
    '<a href="#consultations-email">Email must look like name@example.com.</a>',
  )
  expect(html).toContain(
    'id="consultations-email-error"><span>Email must look like name@example.com.</span>',
  )
  expect(html).toContain(
    '<textarea id="consultations-message">A &quot;shop&quot; &amp; &lt;b&gt;bread&lt;/b&gt; &lt;/textarea&gt;&lt;script&gt;</textarea>',
  )
  expect(html).not.toContain('consultations-message-error')
  expect(html.match(/class="err"/g)).toHaveLength(1)
  expect(html).toContain('One field needs a look')
})

test('a form without agreement links to the box, and an unknown service is the custom one', async ({
  db,
}) => {
  const api = testApi(db, { page: async () => builtPage })
  const { agree: _, ...rest } = { ...typed, email: 'asha@bakery.example', service: '"><x>' }
  const html = await (await api.request('/api/consultations', postForm(rest))).text()
  expect(html).toContain('<a href="#consultations-agree">')
  expect(html).toContain(`<span>${serviceLabel('custom')}</span>`)
  expect(html).toContain('value="&quot;&gt;&lt;x&gt;"')
})

test('a refused form keeps the plan that it was sent with, and shows no box without one', async ({
  db,
}) => {
  const api = testApi(db, { page: async () => builtPage })
  const planned = { ...typed, plan_goal: 'shop', plan_by: '2027-02-15', plan_size: '"><x>' }
  const html = await (await api.request('/api/consultations', postForm(planned))).text()
  expect(html).toContain(`<dt>Goal</dt><dd>${content().plan.questions.goal.answers.shop}</dd>`)
  expect(html).toContain('<dt>Live by</dt><dd>Monday 15 February 2027</dd>')
  expect(html).toContain('<a href="/consultation?goal=shop&amp;by=2027-02-15#plan">')
  expect(html).toContain('name="plan_goal" value="shop"')
  expect(html).not.toContain('plan_size')
  const without = await (await api.request('/api/consultations', postForm(typed))).text()
  expect(without).not.toContain('class="from"')
})

test('a service named like something that every object has is the custom one', async ({ db }) => {
  const api = testApi(db, { page: async () => builtPage })
  for (const service of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
    const response = await api.request('/api/consultations', postForm({ ...typed, service }))
    expect(response.status, service).toBe(400)
    expect(await response.text(), service).toContain(`<span>${serviceLabel('custom')}</span>`)
  }
})

test('a form that carries a file comes back with what was typed beside it', async ({ api }) => {
  const form = new FormData()
  form.set('name', 'Asha')
  form.set('resume', new File(['x'], 'resume.pdf'))
  form.set('message', 'Typed after the file')
  const response = await api.request('/api/contacts', { body: form })
  const html = await response.text()
  expect(response.status).toBe(415)
  expect(html).toContain('Files cannot be sent here.')
  expect(html).toContain('Asha')
  expect(html).toContain('Typed after the file')
})

test('where the site was not built the page is bare, and nothing typed is lost', async ({
  api,
}) => {
  const response = await api.request('/api/contacts', {
    body: new URLSearchParams({ name: 'Asha <Rao>', email: 'no', message: '\nTwo\nlines' }),
  })
  const html = await response.text()
  expect(response.status).toBe(400)
  expect(html).toContain('Asha &lt;Rao&gt;')
  expect(html).toContain('>\n\nTwo\nlines</textarea>')
  expect(html).toContain('action="/api/contacts"')
})

test('a form on another site gets a page with a 403 that repeats nothing of it', async ({ db }) => {
  const api = testApi(db, { page: async () => builtPage })
  const headers = { 'Sec-Fetch-Site': 'cross-site' }
  const response = await api.request('/api/consultations', { ...postForm(typed), headers })
  const html = await response.text()
  expect(response.status).toBe(403)
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  expect(html).toContain('This was sent from another site.')
  expect(html).toContain('Nothing has been sent yet.</p>')
  expect(html).not.toContain('Asha')
  expect(html).not.toContain('asha@bakery')
})

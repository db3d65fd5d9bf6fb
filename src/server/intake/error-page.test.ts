import { expect } from 'vitest'
import { serviceLabels } from '#contract/services.ts'
import type { PageTemplate } from '#server/deps.ts'
import { test, testApi } from '#server/testing.ts'
import { samples } from './samples.ts'

const template: PageTemplate = {
  html: [
    '<h1>Request</h1><p>{{choice}}</p>{{summary}}',
    '<input type="hidden" name="service" value="{{value:service}}">',
    '<input id="consultations-email" value="{{value:email}}" aria-invalid="{{bad:email}}">',
    '<p class="err" id="e"><span>{{errors:email}}</span></p>',
    '<textarea id="consultations-message">{{value:message}}</textarea>',
    '<p class="err" id="m"><span>{{errors:message}}</span></p>',
    '<input id="consultations-agree"><p class="err" id="a"><span>{{errors:agree}}</span></p>',
  ].join(''),
  csp: "default-src 'none'; script-src 'sha256-x'",
}

const typed = {
  service: 'basic-package',
  name: 'Asha <b>Rao</b>',
  email: 'asha@bakery',
  phone: '12345',
  message: 'A "shop" & {{value:email}} </textarea><script>',
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
      return template
    },
  })
  const response = await api.request('/api/consultations', postForm(typed))
  const html = await response.text()

  expect(asked).toEqual(['refused/consultations'])
  expect(response.status).toBe(400)
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('Content-Security-Policy')).toBe(template.csp)
  expect(html).toContain(`<p>${serviceLabels['basic-package']}</p>`)
  expect(html).toContain('value="basic-package"')
  expect(html).toContain('value="asha@bakery" aria-invalid="true"')
  expect(html).toContain(
    '<a href="#consultations-email">Email must look like name@example.com.</a>',
  )
  expect(html).toContain('id="e"><span>Email must look like name@example.com.</span>')
  expect(html).not.toContain('id="m"')
  expect(html).toContain(
    '>A &quot;shop&quot; &amp; {{value:email}} &lt;/textarea&gt;&lt;script&gt;</textarea>',
  )
  expect(html).toContain('One field needs a look')
})

test('a form without agreement links to the box, and an unknown service is the custom one', async ({
  db,
}) => {
  const api = testApi(db, { page: async () => template })
  const { agree: _, ...rest } = { ...typed, email: 'asha@bakery.example', service: '"><x>' }
  const html = await (await api.request('/api/consultations', postForm(rest))).text()
  expect(html).toContain('<a href="#consultations-agree">')
  expect(html).toContain('<p>Custom Requirements</p>')
  expect(html).toContain('value="&quot;&gt;&lt;x&gt;"')
})

test('a service named like something that every object has is the custom one', async ({ db }) => {
  const api = testApi(db, { page: async () => template })
  for (const service of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
    const response = await api.request('/api/consultations', postForm({ ...typed, service }))
    expect(response.status, service).toBe(400)
    expect(await response.text(), service).toContain('<p>Custom Requirements</p>')
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
  const api = testApi(db, { page: async () => template })
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

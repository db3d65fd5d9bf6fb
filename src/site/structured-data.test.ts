import { expect, test, vi } from 'vitest'
import { jobPosting } from './structured-data.ts'

test('a job posting shows texts with markup as texts', () => {
  vi.stubEnv('SITE', 'https://site.example')
  const { description } = jobPosting('/careers/drawing', {
    value: 'drawing',
    title: 'Drawing',
    department: 'Design',
    summary: 'Draw with <canvas> & SVG',
    duties: ['Write <b>bold</b> code'],
    requirements: ['R&D'],
    hours: '15 hours',
    location: 'Vienna',
    country: 'Austria',
    remote: false,
    employment: 'INTERN',
    posted: '2026-11-01',
  })
  expect(description).toBe(
    '<p>Draw with &lt;canvas> &amp; SVG</p>' +
      '<p>What you do</p><ul><li>Write &lt;b>bold&lt;/b> code</li></ul>' +
      '<p>What you bring</p><ul><li>R&amp;D</li></ul>',
  )
})

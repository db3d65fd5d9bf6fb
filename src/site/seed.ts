import brand from '#content/brand.json' with { type: 'json' }
import company from '#content/company.json' with { type: 'json' }
import consultationServices from '#content/consultation-services.json' with { type: 'json' }
import consultationSteps from '#content/consultation-steps.json' with { type: 'json' }
import faq from '#content/faq.json' with { type: 'json' }
import forms from '#content/forms.json' with { type: 'json' }
import hiring from '#content/hiring.json' with { type: 'json' }
import homeServices from '#content/home-services.json' with { type: 'json' }
import openings from '#content/openings.json' with { type: 'json' }
import pages from '#content/pages.json' with { type: 'json' }
import plan from '#content/plan.json' with { type: 'json' }
import positions from '#content/positions.json' with { type: 'json' }
import process from '#content/process.json' with { type: 'json' }
import servicePages from '#content/service-pages.json' with { type: 'json' }
import services from '#content/services.json' with { type: 'json' }
import tags from '#content/tags.json' with { type: 'json' }
import testimonials from '#content/testimonials.json' with { type: 'json' }
import work from '#content/work.json' with { type: 'json' }
import { type Content, contentProblems } from '#contract/content/collections.ts'
import { articles } from './documents/articles.ts'

const entries = (list: readonly ({ id: string } & object)[]) =>
  list.map(({ id, ...data }) => ({ id, data }))

/** The files of `src/content`: what the site says until something else is published. */
export const seed = {
  brand,
  company,
  plan,
  forms,
  pages,
  services: entries(services),
  'service-pages': entries(servicePages),
  'home-services': entries(homeServices),
  process: entries(process),
  tags: entries(tags),
  work: entries(work),
  testimonials: entries(testimonials),
  faq: entries(faq),
  'consultation-steps': entries(consultationSteps),
  'consultation-services': entries(consultationServices),
  positions: entries(positions),
  openings: entries(openings),
  hiring: entries(hiring),
  ...articles,
} as unknown as Content

const fileOf = (collection: string, id: string): string =>
  Object.hasOwn(articles, collection) ? `${collection}/${id}.mdx` : `${collection}.json`

/** @throws what keeps the files from being shown, each with its file, entry and field */
export const checkFiles = (files: Content = seed): void => {
  const problems = contentProblems(files).map(
    ({ collection, id, path, message }) =>
      `src/content/${fileOf(collection, id)}, ${[id, ...path.map(String)].join('.')}: ${message}`,
  )
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

// A build checks them once; with `npm run dev` they change while it runs.
if (import.meta.hot) checkFiles()

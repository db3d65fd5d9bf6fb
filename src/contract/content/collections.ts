import type * as z from 'zod/mini'
import { brand } from './brand.ts'
import { judging, opening, position } from './careers.ts'
import { company, question, testimonial } from './company.ts'
import { consultationService, consultationStep, forms, plan } from './consultation.ts'
import { entryId } from './fields.ts'
import { pages } from './pages.ts'
import { homeService, processStep, service, servicePage, tag } from './services.ts'
import { work } from './work.ts'
import { article, legalPage } from './writing.ts'

/** All that the site says: collections of documents, one document for each entry. */

/** Collections with entries, in the order in which the site shows them. */
export const lists = {
  services: service,
  'service-pages': servicePage,
  'home-services': homeService,
  process: processStep,
  tags: tag,
  work,
  testimonials: testimonial,
  faq: question,
  'consultation-steps': consultationStep,
  'consultation-services': consultationService,
  positions: position,
  openings: opening,
  hiring: judging,
  blog: article,
  legal: legalPage,
} as const

/** Collections of one document. */
export const singles = { brand, company, plan, forms, pages } as const

export type ListName = keyof typeof lists
export type SingleName = keyof typeof singles

export type Value<Name extends ListName | SingleName> = Name extends ListName
  ? z.output<(typeof lists)[Name]>
  : Name extends SingleName
    ? z.output<(typeof singles)[Name]>
    : never

export interface Entry<Name extends ListName> {
  id: string
  data: Value<Name>
}

export type Lists = { readonly [Name in ListName]: readonly Entry<Name>[] }

export type Content = Lists & { readonly [Name in SingleName]: Value<Name> }

/** What is wrong with a document: the keys and indexes that lead to it. */
export interface Problem {
  collection: string
  id: string
  path: readonly PropertyKey[]
  message: string
}

/** For what a schema has no message of its own. */
const plainSentence = (issue: {
  code?: string | undefined
  input?: unknown
  values?: readonly unknown[]
  keys?: readonly string[]
}): string => {
  if (issue.input === undefined) return 'This is missing.'
  if (issue.keys) return `There is no field ${issue.keys.join(', ')}.`
  if (issue.values) return `Choose one of ${issue.values.join(', ')}.`
  return 'This has another form than the field asks for.'
}

const valueProblems = (
  schema: z.ZodMiniType,
  collection: string,
  id: string,
  value: unknown,
): Problem[] =>
  (schema.safeParse(value, { error: plainSentence }).error?.issues ?? []).map(
    ({ path, message }) => ({
      collection,
      id,
      path,
      message,
    }),
  )

/** Pages cannot do without an entry of these. */
const filled = [
  'services',
  'service-pages',
  'home-services',
  'process',
  'tags',
  'work',
  'faq',
  'consultation-steps',
  'consultation-services',
] as const

/** References to entries of other collections. */
const references = (all: Content): Problem[] => {
  const { services, faq, work: cases, positions, plan: sheet, ...content } = all
  const missing = (
    collection: string,
    id: string,
    path: readonly PropertyKey[],
    named: string,
    among: readonly { id: string }[],
  ): Problem[] =>
    among.some((entry) => entry.id === named)
      ? []
      : [{ collection, id, path, message: `There is no ${named}.` }]
  return [
    ...content.blog.flatMap(({ id, data }) => [
      ...missing(
        'blog',
        id,
        ['category'],
        data.category,
        content.pages.blog.categories.map((name) => ({ id: name })),
      ),
      ...data.related.flatMap((name, index) =>
        missing(
          'blog',
          id,
          ['related', index],
          name,
          content.blog.filter((other) => other.id !== id),
        ),
      ),
    ]),
    ...filled.flatMap((collection) =>
      all[collection].length > 0
        ? []
        : [{ collection, id: 'order', path: [], message: 'Keep at least one entry.' }],
    ),
    ...content['home-services'].flatMap(({ id, data }) =>
      missing('home-services', id, ['service'], data.service, services),
    ),
    ...content['service-pages'].flatMap(({ id, data }) => [
      ...missing('service-pages', id, [], id, services),
      ...missing('service-pages', id, ['work'], data.work, cases),
      ...data.questions.flatMap((name, index) =>
        missing('service-pages', id, ['questions', index], name, faq),
      ),
    ]),
    ...content.openings.flatMap(({ id }) => missing('openings', id, [], id, positions)),
    ...content.hiring.flatMap(({ id }) =>
      missing('hiring', id, [], id, [...positions, { id: 'other' }]),
    ),
    ...missing('hiring', 'other', [], 'other', content.hiring),
    ...Object.entries(sheet.scopes).flatMap(([name, { service: named }]) =>
      named === undefined ? [] : missing('plan', 'plan', ['scopes', name], named, services),
    ),
  ]
}

/** Everything that keeps this content from being shown. */
export const contentProblems = (content: Content): Problem[] => {
  const inLists = Object.entries(lists).flatMap(([collection, schema]) =>
    content[collection as ListName].flatMap(({ id, data }, index, entries) => [
      ...valueProblems(entryId, collection, id, id),
      ...valueProblems(schema, collection, id, data),
      ...(entries.findIndex((entry) => entry.id === id) < index
        ? [{ collection, id, path: [], message: 'Two entries have this name.' }]
        : []),
    ]),
  )
  const inSingles = Object.entries(singles).flatMap(([collection, schema]) =>
    valueProblems(schema, collection, collection, content[collection as SingleName]),
  )
  const problems = [...inLists, ...inSingles]
  return problems.length > 0 ? problems : references(content)
}

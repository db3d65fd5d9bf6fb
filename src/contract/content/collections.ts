import type * as z from 'zod/mini'
import { brand } from './brand.ts'
import { judging, opening, position } from './careers.ts'
import { company, question, testimonial } from './company.ts'
import { consultationService, consultationStep, forms, plan } from './consultation.ts'
import { entryId } from './fields.ts'
import { pages } from './pages.ts'
import { blockName } from './rich-text.ts'
import { drawnServices, homeService, processStep, service, servicePage, tag } from './services.ts'
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

type Path = (string | number)[]

export interface Problem {
  collection: string
  id: string
  path: Path
  message: string
}

const missing: Record<string, string> = {
  string: 'Write a text.',
  number: 'Write a number.',
  int: 'Write a whole number.',
  boolean: 'Choose yes or no.',
  array: 'Add at least one entry.',
  object: 'Fill in this part.',
}

/** Plain words for what a schema has no message of its own for. */
const inWords = (issue: z.core.$ZodRawIssue): string => {
  const { code, origin, minimum, maximum, inclusive } = issue as Record<string, unknown>
  const unit = origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : ''
  if (code === 'invalid_type') return missing[String(issue.expected)] ?? 'Fill in this field.'
  if (code === 'invalid_value') return 'Choose one of the list.'
  if (code === 'invalid_format') return 'This is not in the right form.'
  if (code === 'too_small')
    return minimum === 1 && origin === 'array'
      ? 'Add at least one entry.'
      : `${inclusive === false ? 'More than' : 'At least'} ${minimum}${unit}.`
  if (code === 'too_big') return `At most ${maximum}${unit}.`
  if (code === 'unrecognized_keys')
    return `There is no field ${(issue.keys as string[]).join(', ')}.`
  return 'This is not in the right form.'
}

/** A draft can hold thousands of wrong values: their problems would fill the memory. */
const MOST_PROBLEMS = 100

const valueProblems = (
  schema: z.ZodMiniType,
  collection: string,
  id: string,
  value: unknown,
): Problem[] =>
  (schema.safeParse(value, { error: inWords }).error?.issues ?? [])
    .slice(0, MOST_PROBLEMS)
    .map(({ path: place, message, ...issue }) => {
      // The unknown field itself, not what holds it.
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
      const path = [...place, ...unknown] as Path
      const [field = '', part, index] = path
      const text = (value as Record<string, unknown> | undefined)?.[field]
      const block = part === 'content' && typeof index === 'number' && blockName(text, index)
      return { collection, id, path, message: block ? `${block}: ${message}` : message }
    })

/** Names that would put an entry's page where the site or the program has another. */
const reserved: Readonly<Partial<Record<ListName, readonly string[]>>> = {
  blog: ['index'],
  work: ['index'],
  // A form without a position or a service chooses these.
  positions: ['index', 'other'],
  // The page of consultations has these places.
  'consultation-services': ['index', 'custom', 'choose', 'foot', 'how', 'main', 'plan', 'sheet'],
  legal: [
    '404',
    'about',
    'admin',
    'api',
    'apply',
    'blog',
    'calendar',
    'careers',
    'consultation',
    'consultation-form',
    'faq',
    'index',
    'media',
    'og',
    'plan',
    'preview',
    'quality',
    'refused',
    'services',
    'status',
    'thanks',
    'work',
  ],
}

export const isReserved = (collection: ListName, id: string): boolean =>
  reserved[collection]?.includes(id) === true

/** Pages cannot do without an entry of these. */
const filled = [
  'services',
  'home-services',
  'process',
  'tags',
  'work',
  'faq',
  'consultation-steps',
  'consultation-services',
] as const

/**
 * References that a page cannot do without; `isSound` leaves out documents that cannot be read. A related article, a
 * question or a case that is gone is left out of the page.
 */
function* references(
  content: Content,
  isSound: (collection: string, id: string) => boolean,
): Generator<Problem> {
  const sound = <Name extends ListName>(name: Name) =>
    (content[name] as readonly Entry<Name>[]).filter(({ id }) => isSound(name, id))
  const idsOf = (name: ListName) => content[name].map(({ id }) => id)
  const [services, positions, hiring] = [idsOf('services'), idsOf('positions'), idsOf('hiring')]
  const noSuch = (name: string) => `There is no ${name}.`
  const categories = isSound('pages', 'pages') ? content.pages.blog.categories : []
  for (const { id, data } of sound('blog'))
    if (!categories.includes(data.category))
      yield { collection: 'blog', id, path: ['category'], message: noSuch(data.category) }
  for (const collection of filled)
    if (content[collection].length === 0 && (collection !== 'work' || content.brand.features?.work))
      yield { collection, id: 'order', path: [], message: 'Keep at least one entry.' }
  for (const { id, data } of sound('home-services'))
    if (!services.includes(data.service))
      yield { collection: 'home-services', id, path: ['service'], message: noSuch(data.service) }
  for (const { id, data } of sound('service-pages')) {
    const page = { collection: 'service-pages', id, path: [] }
    const drawings = `There are no drawings for a page ${id}: a developer adds them.`
    const feature = 'Write it as the title of one of the features below.'
    if (!services.includes(id)) yield { ...page, message: noSuch(id) }
    if (!drawnServices.includes(id)) yield { ...page, message: drawings }
    if (!data.features.items.some((item) => item.title === data.specimen.feature))
      yield { ...page, path: ['specimen', 'feature'], message: feature }
  }
  for (const id of idsOf('openings'))
    if (!positions.includes(id)) yield { collection: 'openings', id, path: [], message: noSuch(id) }
  for (const id of hiring)
    if (id !== 'other' && !positions.includes(id))
      yield { collection: 'hiring', id, path: [], message: noSuch(id) }
  if (!hiring.includes('other'))
    yield { collection: 'hiring', id: 'other', path: [], message: noSuch('other') }
  const scopes = isSound('plan', 'plan') ? Object.entries(content.plan.scopes) : []
  for (const [name, { service }] of scopes)
    if (service !== undefined && !services.includes(service))
      yield { collection: 'plan', id: 'plan', path: ['scopes', name], message: noSuch(service) }
}

export const textsOf = (value: unknown, path: Path = []): [Path, string][] => {
  if (typeof value === 'string') return [[[...path], value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) =>
    textsOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

const NAMED = /\{(price|[cC]ount):([^}]*)\}/g

/** Prices and counts that texts ask for and nothing has. */
const fillings = (all: Content): Problem[] => {
  const priced = all['consultation-services'].map(({ id }) => id)
  const counted = [...Object.keys(lists), 'studies', 'packages', 'steps']
  const inValue = (collection: string, id: string, value: unknown): Problem[] =>
    textsOf(value).flatMap(([path, text]) =>
      [...text.matchAll(NAMED)].flatMap(([whole, kind, name = '']) =>
        (kind === 'price' ? priced : counted).includes(name)
          ? []
          : [{ collection, id, path, message: `There is nothing for ${whole}.` }],
      ),
    )
  return Object.entries(all).flatMap(([collection, value]) =>
    Array.isArray(value)
      ? (value as Entry<ListName>[]).flatMap(({ id, data }) => inValue(collection, id, data))
      : inValue(collection, collection, value),
  )
}

export const contentProblems = (content: Content): Problem[] => {
  const inLists = Object.entries(lists).flatMap(([collection, schema]) =>
    content[collection as ListName].flatMap(({ id, data }, index, entries) => [
      ...valueProblems(entryId, collection, id, id),
      ...valueProblems(schema, collection, id, data),
      ...(entries.findIndex((entry) => entry.id === id) < index
        ? [{ collection, id, path: [], message: 'Two entries have this name.' }]
        : []),
      ...(isReserved(collection as ListName, id)
        ? [{ collection, id, path: [], message: 'The site has another page at this address.' }]
        : []),
    ]),
  )
  const inSingles = Object.entries(singles).flatMap(([collection, schema]) =>
    valueProblems(schema, collection, collection, content[collection as SingleName]),
  )
  const problems = [...inLists, ...inSingles]
  const isSound = (collection: string, id: string) =>
    !problems.some((problem) => problem.collection === collection && problem.id === id)
  const filled = fillings(content).filter(({ collection, id }) => isSound(collection, id))
  return [...problems, ...references(content, isSound), ...filled]
}

/**
 * The same documents with their fields in the order of the schemas, in which pages show them: a database keeps no order.
 * A document that does not fit its schema stays as it is. Each collection is put in order when it is first read: a new
 * process of a function reads few.
 */
export const inOrder = (content: Content): Content => {
  const ordered = (schema: z.ZodMiniType, value: unknown) => schema.safeParse(value).data ?? value
  const all = {} as Content
  const add = (name: ListName | SingleName, read: () => unknown) =>
    Object.defineProperty(all, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = read()
        Object.defineProperty(all, name, { value })
        return value
      },
    })
  for (const [name, schema] of Object.entries(lists) as [ListName, z.ZodMiniType][])
    add(name, () => content[name].map(({ id, data }) => ({ id, data: ordered(schema, data) })))
  for (const [name, schema] of Object.entries(singles) as [SingleName, z.ZodMiniType][])
    add(name, () => ordered(schema, content[name]))
  return all
}

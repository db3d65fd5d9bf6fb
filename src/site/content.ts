import { AsyncLocalStorage } from 'node:async_hooks'
import { type Brand, money } from '#contract/content/brand.ts'
import {
  type Content,
  contentProblems,
  type Entry,
  inOrder,
  type ListName,
  type Lists,
} from '#contract/content/collections.ts'
import { limits } from '#contract/limits.ts'
import type { Hiring, Judging, Openings } from '#contract/positions.ts'
import { seed } from './seed.ts'

/** All that the site says, for pages, mails and the API. */

const scope = new AsyncLocalStorage<Content>()

/** Set by a build that draws a live release. */
declare const BUILT_CONTENT: Content | undefined

let published: Content = inOrder(typeof BUILT_CONTENT === 'undefined' ? seed : BUILT_CONTENT)

/** The content of the files, without any release. */
export const firstContent = (): Content => seed

/** Read it where it is used: a constant of a module would keep the content of the first page. */
export const content = (): Content => scope.getStore() ?? published

/** This process now says this, in pages, mails and answers; a collection that it lacks is that of the files. */
export const setPublished = (documents: Partial<Content>): void => {
  published = inOrder({ ...seed, ...documents })
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((found, key) => (found as Record<PropertyKey, unknown> | undefined)?.[key], value)

const documentOf = (all: Content, collection: string, id: string): unknown => {
  const value: unknown = all[collection as keyof Content]
  return Array.isArray(value) ? (value.find((one) => one.id === id) ?? value[0])?.data : value
}

/**
 * Documents that an earlier version has stored; a required field that they lack is that of the files, and
 * that of their first entry in an entry that they lack.
 */
export const completed = (documents: Partial<Content>): Content => {
  const all = structuredClone({ ...seed, ...documents })
  for (const { collection, id, path } of contentProblems(all)) {
    const parent = valueAt(documentOf(all, collection, id), path.slice(0, -1))
    const own = valueAt(documentOf(seed, collection, id), path)
    const key = path.at(-1)
    if (key !== undefined && own !== undefined && parent && !Object.hasOwn(parent, key))
      Object.assign(parent, { [key]: structuredClone(own) })
  }
  return all
}

/** Runs with other content than that of the files, as a test or a release does. */
export const withContent = <Result>(other: Content, run: () => Result): Result =>
  scope.run(other, run)

export const brand = (): Brand => content().brand

/** `mailto:` link to the owner, with a subject when one is given. */
export const mailto = (subject?: string): string =>
  `mailto:${brand().contact.email}${subject ? `?subject=${encodeURIComponent(subject)}` : ''}`

export const entries = <Name extends ListName>(name: Name): Lists[Name] => {
  const lists: Lists = content()
  return lists[name]
}

export const entry = <Name extends ListName>(name: Name, id: string): Entry<Name> | undefined =>
  (entries(name) as readonly Entry<Name>[]).find((one) => one.id === id)

/** The choices of the form, `other` last. */
export const positionIds = (): string[] => [...entries('positions').map(({ id }) => id), 'other']

export const positionLabel = (id: string): string =>
  entry('positions', id)?.data.title ?? content().forms.otherPosition.label

/** The choices of the form, `custom` last. */
export const serviceIds = (): string[] => [
  ...entries('consultation-services').map(({ id }) => id),
  'custom',
]

const servicesOf = (type: 'website' | 'package'): string[] =>
  entries('consultation-services')
    .filter(({ data }) => data.type === type)
    .map(({ id }) => id)

/** The first talk; the choice outside the list where none is offered. */
export const talkService = (): string => servicesOf('website')[0] ?? 'custom'

/** The packages, the smallest first. */
export const packageServices = (): string[] => servicesOf('package')

/** "$299"; nothing for what is free. */
export const monthlyPrice = (id: string): string => {
  const monthly = entry('consultation-services', id)?.data.monthly
  return monthly === undefined ? '' : money(brand(), monthly)
}

/** "/month" after a price, unless it is paid once. */
export const afterPrice = (id: string): string =>
  entry('consultation-services', id)?.data.once ? '' : '/month'

export const serviceLabel = (id: string): string =>
  entry('consultation-services', id)?.data.label.replace('{price}', monthlyPrice(id)) ??
  content().forms.otherService.label

/** As it stands within a sentence; in a preview a mark may stand before it. */
export const lowered = (text: string): string =>
  text.replace(/^(?:\p{Co}\d+\p{Co})?./u, (start) => start.toLowerCase())

/** The text with the prices that it names as `{price:ID}`, amounts such as `{money:1900}`, and the promised `{hours}`. */
export const withPrices = (text: string): string =>
  text
    .replace(/\{price:([a-z0-9-]+)\}/g, (_, id: string) => monthlyPrice(id))
    .replace(/\{money:(\d{1,9})\}/g, (_, amount: string) => money(brand(), Number(amount)))
    .replaceAll('{hours}', String(limits.promiseHours))

/** Price and length of the first talk; undefined where none is offered. */
export const talkTerms = (): { price: string; duration: string } | undefined => {
  const id = talkService()
  const talk = entry('consultation-services', id)
  return talk && { price: monthlyPrice(id) || 'Free', duration: talk.data.duration }
}

const byId = <Name extends ListName>(name: Name) =>
  Object.fromEntries((entries(name) as readonly Entry<Name>[]).map(({ id, data }) => [id, data]))

export const openings = (): Openings => byId('openings')

export const hiring = (): Hiring => byId('hiring')

export const judging = (position: string): Judging => {
  const own = entry('hiring', position) ?? entry('hiring', 'other')
  if (!own) throw new Error('src/content/hiring.json has no other')
  return own.data
}

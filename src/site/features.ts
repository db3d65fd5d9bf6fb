import type { Feature } from '#contract/content/brand.ts'
import type { Content, ListName } from '#contract/content/collections.ts'
import { brand, entries } from './content.ts'

/** Pages, screens and calls of each part of the site that can be switched off. */
const paths: Readonly<Record<Feature, RegExp>> = {
  blog: /^\/(blog|rss\.xml)(\/|$)/,
  careers: /^\/((admin\/|api\/|thanks\/|refused\/)applications|careers|apply)(\/|$)/,
  work: /^\/work(\/|$)/,
  plan: /^\/plan(\/|$)/,
}

const features = Object.entries(paths) as [Feature, RegExp][]

/** True if an address belongs to a part that is switched off. */
export const isOff = (path: string, on: Readonly<Record<Feature, boolean>> = brand().features) =>
  features.some(([feature, belongs]) => !on[feature] && belongs.test(path))

const listOf: Readonly<Record<string, ListName>> = {
  services: 'service-pages',
  work: 'work',
  careers: 'positions',
  blog: 'blog',
}

/** True if an address is on, and is not that of a removed entry. */
export const isThere = (path: string): boolean => {
  const [, folder = '', name] = path.split('/')
  const list = name === undefined ? undefined : listOf[folder]
  return !isOff(path) && (list === undefined || entries(list).some(({ id }) => id === name))
}

const featureOf: Readonly<Record<string, Feature>> = {
  positions: 'careers',
  openings: 'careers',
  hiring: 'careers',
  blog: 'blog',
  work: 'work',
  plan: 'plan',
}

/** False for a collection of a part that is switched off. */
export const isUsed = ({ brand }: Pick<Content, 'brand'>, collection: string): boolean => {
  const feature = featureOf[collection]
  return feature === undefined || brand.features?.[feature] !== false
}

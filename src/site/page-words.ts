import type { Value } from '#contract/content/collections.ts'
import { limits } from '#contract/limits.ts'
import { brand, content, entries, monthlyPrice, packageServices } from './content.ts'
import { longMonth } from './dates.ts'

const words = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** "ten", and figures from 13 on. */
export const inWords = (count: number): string => words[count] ?? String(count)

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** "$299 or $599". */
export const monthlyPrices = (): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    packageServices().flatMap((id) => monthlyPrice(id) || []),
  )

const lengthOf = (name: string): number => {
  if (name === 'studies') return entries('work').filter(({ data }) => data.kind === 'study').length
  if (name === 'packages') return packageServices().length
  if (name === 'steps') return content().pages.careers.steps.length
  const list: unknown = Object.entries(content()).find(([known]) => known === name)?.[1]
  if (!Array.isArray(list))
    throw new Error(`src/content/pages.json counts ${name}, which is no list`)
  return list.length
}

const filled = (text: string): string =>
  text
    .replace(/\{(c|C)ount:([a-z-]+)\}/g, (_, first: string, name: string) => {
      const count = inWords(lengthOf(name))
      return first === 'C' ? capital(count) : count
    })
    .replaceAll('{prices}', monthlyPrices)
    .replaceAll('{hours}', String(limits.promiseHours))
    .replaceAll('{brand}', () => brand().name)
    .replaceAll('{founded}', () => longMonth(brand().founded))

const deep = <Part>(part: Part): Part =>
  (typeof part === 'string'
    ? filled(part)
    : Array.isArray(part)
      ? part.map(deep)
      : Object.fromEntries(
          Object.entries(part as object).map(([key, value]) => [key, deep(value)]),
        )) as Part

export const pageWords = <Name extends keyof Value<'pages'>>(name: Name): Value<'pages'>[Name] =>
  deep(content().pages[name])

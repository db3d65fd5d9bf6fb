import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  type Content,
  type Entry,
  type ListName,
  lists,
  singles,
} from '#contract/content/collections.ts'
import { writeMdx } from '#site/documents/write-mdx.ts'

/** The files of `src/content` as the documents of a release. */

const WIDEST = 100

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** JSON as the project's formatter leaves it: a list of plain values on one line where it fits. */
const formatted = (value: unknown, indent = '', before = 0): string => {
  if (!isObject(value)) return JSON.stringify(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const line = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`
    if (!value.some(isObject) && indent.length + before + line.length < WIDEST) return line
    return `[\n${value.map((item) => inner + formatted(item, inner)).join(',\n')}\n${indent}]`
  }
  const fields = Object.entries(value).map(([key, item]) => {
    const name = `${JSON.stringify(key)}: `
    return inner + name + formatted(item, inner, name.length)
  })
  return fields.length === 0 ? '{}' : `{\n${fields.join(',\n')}\n${indent}}`
}

type Orders = Map<string, Set<string>>

/** The keys at each place of a value in their order; items of a list share one place. */
const learn = (value: unknown, orders: Orders, place = ''): void => {
  if (Array.isArray(value)) for (const item of value) learn(item, orders, `${place}[]`)
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) {
      orders.set(place, (orders.get(place) ?? new Set()).add(key))
      learn(item, orders, `${place}.${key}`)
    }
}

/** The value with its keys in the order of the file: the database keeps none. */
const inOrder = (value: unknown, orders: Orders, place = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, orders, `${place}[]`))
  if (!isObject(value)) return value
  const known = [...(orders.get(place) ?? [])]
  const rank = (key: string) => (known.includes(key) ? known.indexOf(key) : known.length)
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
      .map(([key, item]) => [key, inOrder(item, orders, `${place}.${key}`)]),
  )
}

/** Each entry of these has a file of its own. */
const written = ['blog', 'legal'] as const

const writeArticles = (folder: string, content: Content): string[] =>
  written.flatMap((name) => {
    mkdirSync(join(folder, name), { recursive: true })
    const texts = content[name].map(({ id, data }) => {
      const file = `${name}/${id}.mdx`
      const path = join(folder, file)
      const former = existsSync(path) ? readFileSync(path, 'utf8') : ''
      return { file, path, former, text: writeMdx(data, former) }
    })
    const changed = texts.filter(({ former, text }) => former !== text)
    for (const { path, text } of changed) writeFileSync(path, text)
    const gone = readdirSync(join(folder, name))
      .map((file) => `${name}/${file}`)
      .filter((file) => file.endsWith('.mdx') && !texts.some((one) => one.file === file))
    for (const file of gone) rmSync(join(folder, file))
    return [...changed.map(({ file }) => file), ...gone]
  })

const jsonNames = [...Object.keys(lists), ...Object.keys(singles)].filter(
  (name) => !(written as readonly string[]).includes(name),
)

const fileValues = (content: Content): [file: string, value: unknown][] =>
  jsonNames.map((name) => {
    const value = content[name as ListName]
    return [
      `${name}.json`,
      Object.hasOwn(lists, name)
        ? (value as readonly Entry<ListName>[]).map(({ id, data }) => ({ id, ...data }))
        : value,
    ]
  })

/** Writes the documents to those files that say something else; the names of these. */
export const writeContent = (folder: string, content: Content): string[] => [
  ...fileValues(content).flatMap(([file, value]) => {
    const path = join(folder, file)
    const former: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
    if (isDeepStrictEqual(former, value)) return []
    const orders: Orders = new Map()
    learn(former, orders)
    writeFileSync(path, `${formatted(inOrder(value, orders))}\n`)
    return [file]
  }),
  ...writeArticles(folder, content),
]

/** Entries that two sets of documents say differently: "faq/price". */
export const differences = (a: Content, b: Content): string[] =>
  [...Object.keys(lists), ...Object.keys(singles)].flatMap((name) => {
    const [mine, theirs] = [a[name as ListName], b[name as ListName]]
    if (isDeepStrictEqual(mine, theirs)) return []
    if (!Array.isArray(mine) || !Array.isArray(theirs)) return [name]
    const data = (entries: readonly Entry<ListName>[], id: string) =>
      entries.find((one) => one.id === id)?.data
    const ids = [...new Set([...mine, ...theirs].map(({ id }) => id))]
    const changed = ids.filter((id) => !isDeepStrictEqual(data(mine, id), data(theirs, id)))
    return changed.length > 0 ? changed.map((id) => `${name}/${id}`) : [`${name} (order)`]
  })

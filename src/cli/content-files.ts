import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  type Content,
  type Entry,
  type ListName,
  lists,
  singles,
} from '#contract/content/collections.ts'
import { picturesIn } from '#server/content/documents.ts'
import { contentFolder } from '#site/content-folder.ts'
import { articles } from '#site/documents/articles.ts'
import { writeMdx } from '#site/documents/write-mdx.ts'
import { seed } from '#site/seed.ts'

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

const isList = (value: unknown): value is readonly Entry<ListName>[] => Array.isArray(value)

const textOf = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, 'utf8') : undefined

/** Articles and legal pages: a file of MDX for each entry of a collection that is a folder. */
const writeArticles = (folder: string, name: ListName, entries: readonly Entry<ListName>[]) => {
  const written = entries.flatMap(({ id, data }) => {
    const file = `${name}/${id}.mdx`
    const former = textOf(join(folder, file))
    // As it was read when the program started or was built: a container has no parser.
    const isRead = former !== undefined && former === textOf(join(contentFolder, file))
    const known = isRead && seed[name].find((entry) => entry.id === id)?.data
    if (isDeepStrictEqual(known, data)) return []
    const text = writeMdx(data as unknown as Parameters<typeof writeMdx>[0], former)
    if (text === former) return []
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, file), text)
    return [file]
  })
  const gone = globSync(`${name}/*.mdx`, { cwd: folder }).filter(
    (file) => !entries.some(({ id }) => file === `${name}/${id}.mdx`),
  )
  for (const file of gone) rmSync(join(folder, file))
  return [...written, ...gone]
}

/** Writes the documents to those files that say something else; the names of these. */
export const writeContent = (folder: string, content: Content): string[] =>
  Object.entries(content).flatMap(([name, documents]) => {
    if (isList(documents) && Object.hasOwn(articles, name))
      return writeArticles(folder, name as ListName, documents)
    const value = isList(documents) ? documents.map(({ id, data }) => ({ id, ...data })) : documents
    const file = `${name}.json`
    const path = join(folder, file)
    const former: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
    if (isDeepStrictEqual(former, value)) return []
    const orders: Orders = new Map()
    learn(former, orders)
    writeFileSync(path, `${formatted(inOrder(value, orders))}\n`)
    return [file]
  })

/** Puts the pictures that the documents show beside them, and removes others; the names of what has changed. */
export const writePictures = (
  folder: string,
  content: Content,
  stored: Readonly<Record<string, string>>,
): string[] => {
  const media = join(folder, 'media')
  const shown = picturesIn(content)
  const there = existsSync(media) ? readdirSync(media) : []
  const added = shown.filter((hash) => stored[hash] && !there.includes(`${hash}.webp`))
  if (added.length > 0) mkdirSync(media, { recursive: true })
  for (const hash of added)
    writeFileSync(join(media, `${hash}.webp`), Buffer.from(stored[hash] ?? '', 'base64'))
  const gone = there.filter((file) => !shown.includes(file.replace('.webp', '')))
  for (const file of gone) rmSync(join(media, file))
  return [...added.map((hash) => `${hash}.webp`), ...gone].map((file) => `media/${file}`)
}

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

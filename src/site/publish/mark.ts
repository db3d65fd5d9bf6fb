import type { Content, Entry, ListName } from '#contract/content/collections.ts'

/**
 * Marks each text of the documents by characters for private use, so that a preview's markup says which field an
 * element shows. The marks pass through templates as any text does, and are gone from the finished page.
 */

const BEGIN = '\uE000'
const END_OF_NUMBER = '\uE001'
const END = '\uE002'

interface Place {
  entry: string
  field: string
}

const withMark = (text: string, place: Place, places: Place[]): string =>
  `${BEGIN}${places.push(place) - 1}${END_OF_NUMBER}${text}${END}`

/**
 * True for values that are not shown as they are: names of drawings and entries, days, addresses,
 * colours, codes.
 */
const isPlain = (text: string): boolean =>
  /^[a-z0-9-]*$/.test(text) ||
  /^(\/|#|https?:|mailto:|tel:|\d{4}-\d\d)/.test(text) ||
  /^[A-Z]{2,3}$/.test(text) ||
  /^[Mm][\d ,.-]/.test(text)

/** True for a block that pages cannot draw yet: a picture that is not chosen, or what has no words. */
const isUnfinished = (node: unknown): boolean => {
  const { type, attrs, content } = (node ?? {}) as Record<string, unknown>
  if (type === 'figure') return !(attrs as { src?: unknown } | null | undefined)?.src
  const isFilled = Array.isArray(content) && content.some((child) => !isUnfinished(child))
  return /^(heading|\w+List|listItem|blockquote|callout|codeBlock)$/.test(String(type)) && !isFilled
}

/** The nodes of a long text; each names the block that it belongs to. Code is coloured word by word, and left alone. */
const markedNode = (node: unknown, entry: string, path: string[], places: Place[]): unknown => {
  if (Array.isArray(node))
    return node
      .filter((child) => !isUnfinished(child))
      .map((child) => markedNode(child, entry, path, places))
  const { type, text, attrs, content, ...rest } = node as Record<string, unknown>
  if (type === 'codeBlock') return node
  const mark = (value: unknown) => {
    if (typeof value !== 'string' || /^\{\w+\}$/.test(value)) return value
    return withMark(value, { entry, field: path.join('.') }, places)
  }
  const { title, caption, ...others } = (attrs ?? {}) as Record<string, unknown>
  return {
    ...rest,
    type,
    ...(text === undefined ? {} : { text: mark(text) }),
    ...(attrs ? { attrs: { ...others, title: mark(title), caption: mark(caption) } } : {}),
    ...(Array.isArray(content) ? { content: markedNode(content, entry, path, places) } : {}),
  }
}

const isLongText = (value: unknown): value is { type: 'doc'; content: unknown[] } =>
  typeof value === 'object' &&
  value !== null &&
  (value as { type?: unknown }).type === 'doc' &&
  Array.isArray((value as { content?: unknown }).content)

/** Compared with each other, not only shown. */
const compared = ['subject', 'feature']

const marked = (value: unknown, entry: string, path: string[], places: Place[]): unknown => {
  if (typeof value === 'string') {
    if (isPlain(value) || entry.startsWith('brand/') || compared.includes(path.at(-1) ?? ''))
      return value
    return withMark(value, { entry, field: path.join('.') }, places)
  }
  if (Array.isArray(value))
    return value.map((item, index) => marked(item, entry, [...path, String(index)], places))
  if (isLongText(value))
    return {
      ...value,
      content: value.content.flatMap((block, index) =>
        markedNode([block], entry, [...path, 'content', String(index)], places),
      ),
    }
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        marked(item, entry, [...path, key], places),
      ]),
    )
  return value
}

/** The documents with a mark around each text, and where each mark stands. */
export const withMarks = (content: Content): { content: Content; places: Place[] } => {
  const places: Place[] = []
  const collections = Object.entries(content).map(([collection, value]) => [
    collection,
    Array.isArray(value)
      ? (value as Entry<ListName>[]).map(({ id, data }) => ({
          id,
          data: marked(data, `${collection}/${id}`, [], places),
        }))
      : marked(value, `${collection}/${collection}`, [], places),
  ])
  return { content: Object.fromEntries(collections) as Content, places }
}

const firstMark = new RegExp(
  `(<[a-z][\\w-]*(?:\\s(?:"[^"]*"|'[^']*'|[^>"'])*)?)>(\\s*["“]?(?:<!-- -->)?\\s*)${BEGIN}(\\d+)${END_OF_NUMBER}`,
  'g',
)
const anyMark = new RegExp(`${BEGIN}\\d+${END_OF_NUMBER}|[${BEGIN}${END_OF_NUMBER}${END}]`, 'g')

/** The text without marks, to compare it or to make an anchor of it. */
export const unmarked = (text: string): string => text.replace(anyMark, '')

/** `data-entry` and `data-field` on each element that begins with a marked text, and no marks. */
export const withFieldNames = (html: string, places: readonly Place[]): string =>
  html
    .replace(firstMark, (whole, tag: string, space: string, number: string) => {
      const place = places[Number(number)]
      if (!place || /^<(script|style|title)/.test(tag)) return whole
      return `${tag} data-entry="${place.entry}" data-field="${place.field}">${space}`
    })
    .replace(anyMark, '')

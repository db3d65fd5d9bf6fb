import * as z from 'zod/mini'
import { type Content, lists, singles } from '#contract/content/collections.ts'
import { type CollectionName, isList, labelOf, references } from './documents.ts'

interface Node {
  [key: string]: unknown
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
  additionalProperties?: Node | boolean
  title?: string
  type?: string
  format?: string
  input?: string
}

/** Help beside a field, by collection and field, or by part and field: what a text does beyond its page, and how to write it. */
const help: Record<string, Record<string, string>> = {
  openings: {
    open: 'Acts at the moment of publishing: a closed position takes no applications.',
    closesAt: 'The last day, UTC. The form refuses applications after it.',
    answerBy: 'A promise: applicants see this day, and you are late after it.',
  },
  'consultation-services': {
    monthly:
      'Whole units of your currency: for a month or, where it is paid once, in all. Without a price it is free.',
    once: 'A single fee; the site says nothing of a month.',
    label: '{price} becomes the price. Used in forms and mails.',
    tag: 'A word or two, for lists in the admin.',
    recommended: 'Stands out beside the others.',
  },
  positions: {
    tag: 'A word or two, for lists in the admin.',
    country: 'Where applicants must be; named in the job posting.',
    remote: 'From anywhere in the country; else at the location.',
    employment: 'For search engines; the page shows the type.',
    pay: '{money:180} becomes the amount in your currency.',
  },
  faq: {
    question: 'Ends with a question mark.',
    answer:
      'A paragraph each. {price:basic-package} becomes the price of that service, {hours} the hours of your promise.',
  },
  hiring: {
    blind: 'Staff see who applies when their own score is in.',
    key: 'Scores are stored under it: keep it once scores were given.',
    anchors: 'The words for 1, 2, 3 and 4.',
  },
  services: { price: '{price:basic-package} becomes the price of that service.' },
  'service-pages': { 'price.text': '{money:1900} becomes the amount in your currency.' },
  plan: { 'prices.text': '{money:1900} becomes the amount in your currency.' },
  work: {
    kind: 'A case is real work with a dated figure, a study a concept.',
    summary: 'One line, beside the picture on the home page.',
    for: 'Who it was made for, in a few words. Stands at the head of the page.',
    what: 'What was made, in a few words.',
    reviewedBy: 'Name and role of somebody who has checked the page.',
    wide: 'Takes the width of two on the home page.',
    ground: 'The colour behind the picture.',
    situation: 'What was so before, and why it had to change.',
    constraint: 'What could not be changed: time, money, rules, devices.',
    cost: 'What the decision takes away or makes harder.',
    'decisions.mark': 'What the review found in the picture before.',
    'result.figure': 'The figure alone, such as 98 %.',
    'result.meaning': 'What the figure says, as the end of its sentence.',
    'result.method': 'How it was measured, so that others could do it again.',
    different: 'What you would do in another way today.',
    live: 'Where the work can be seen.',
  },
  brand: {
    accent: 'Moved to the nearest colour that can be read where this one cannot.',
    language: 'Such as en. Hyphens and screen readers follow it.',
    currency: 'Three letters, such as USD.',
    country: 'Two letters, such as DE.',
    'address.country': 'As it stands in an address.',
    'phone.href': 'Such as tel:+11234567890.',
    zone: 'Such as Europe/Berlin.',
    mark: 'A path in a square of 32 units, drawn as a line.',
    features: 'What is off has no page, link, screen or call.',
  },
}

const anywhere: Record<string, string> = {
  sample: 'Marks a text that is not yours yet. Remove the mark when it is.',
  description: 'For search results and shared links.',
  href: 'An address on this site begins with /.',
  alt: 'Says in words what the picture shows.',
  drawingAlt: 'Says in words what the picture shows.',
}

/** Sentences, so that the field grows. */
const LONG =
  /^(text|summary|intro|answer|story|quote|description|bio|requirements|duties|excerpt|situation|constraint|cost|meaning|method|alt|\w+Alt|bring|get|note|detail|see|act|fits)$/

const inputOf = (collection: string, key: string, node: Node): string | undefined => {
  if (references[collection]?.[key]) return `reference:${references[collection][key]}`
  if (key === 'hero' || (key === 'drawing' && node.anyOf)) return 'picture'
  if (key === 'drawing') return 'drawing'
  if (key === 'accent') return 'color'
  if (collection === 'brand' && key === 'mark') return 'mark'
  if (key === 'body') return 'richtext'
  if (node.format === 'date') return 'day'
  if (node.type === 'boolean') return 'switch'
  if (node.type === 'integer' || node.type === 'number') return 'number'
  if (node.enum) return 'choice'
  if (node.type === 'array') return 'list'
  if (node.type === 'object') return 'group'
  if (node.type === 'string') return LONG.test(key) ? 'text' : 'line'
  return undefined
}

/** The node with titles and kinds of input, and so all nodes in it; `key` is the name of the field, in `part`. */
const described = (collection: string, key: string, node: Node, part = ''): Node => {
  const inside = (child: Node) => described(collection, key, child, part)
  const input = inputOf(collection, key, node)
  const { properties, items, anyOf, additionalProperties } = node
  if (input === 'richtext') return { ...node, title: 'Text', input }
  const own = help[collection]
  const hint = own?.[`${part}.${key}`] ?? own?.[key] ?? anywhere[key]
  return {
    ...node,
    ...(hint && !node.description ? { description: hint } : {}),
    ...(key ? { title: input === 'picture' && key === 'drawing' ? 'Picture' : labelOf(key) } : {}),
    ...(input ? { input } : {}),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [
          name,
          described(collection, name, child, key),
        ]),
      ),
    }),
    ...(items && { items: inside(items) }),
    ...(anyOf && { anyOf: anyOf.map(inside) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: inside(additionalProperties),
    }),
  }
}

/**
 * The JSON Schema (2020-12) of a collection's documents. Each field has a `title`; `input` names the kind of its
 * form control: line, text, number, day, switch, choice, list, group, color, mark, drawing, picture, richtext or `reference:COLLECTION`.
 */
export const schemaOf = (
  collection: CollectionName,
  { drafted, published }: Readonly<Record<'drafted' | 'published', Pick<Content, 'pages'>>>,
) => {
  const kind = isList(collection) ? lists[collection] : singles[collection]
  const plain = z.toJSONSchema(kind as z.ZodMiniType, {
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
  })
  const schema = described(collection, '', plain as Node)
  const { category } = schema.properties ?? {}
  // Its choices are a document's, too. A draft of that document may lack them.
  if (collection === 'blog' && category) {
    const { pages } = singles.pages.safeParse(drafted.pages).success ? drafted : published
    Object.assign(category, { enum: pages.blog.categories, input: 'choice' })
  }
  if (collection === 'work')
    Object.assign(schema, {
      if: { properties: { kind: { const: 'case' } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { required: ['result'] },
    })
  return schema
}

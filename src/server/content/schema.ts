import * as z from 'zod/mini'
import { lists, singles } from '#contract/content/collections.ts'
import { type CollectionName, isList, labelOf } from './documents.ts'

interface Node {
  [key: string]: unknown
  title?: string
  type?: string
  format?: string
  input?: string
}

/** References by the field's name: the collection whose entries it names. */
const references: Record<string, Record<string, string>> = {
  'home-services': { service: 'services' },
  'service-pages': { questions: 'faq', work: 'work' },
  plan: { service: 'services' },
}

/** Longer than one line, so that its field grows. */
const LONG = /^(text|summary|intro|answer|story|quote|description|bio|requirements|duties|excerpt)$/

const inputOf = (collection: string, key: string, node: Node): string | undefined => {
  if (references[collection]?.[key]) return `reference:${references[collection][key]}`
  if (key === 'drawing' || key === 'hero') return 'drawing'
  if (key === 'accent') return 'color'
  if (node.format === 'date') return 'day'
  if (node.type === 'boolean') return 'switch'
  if (node.type === 'integer' || node.type === 'number') return 'number'
  if (node.enum) return 'choice'
  if (node.type === 'array') return 'list'
  if (node.type === 'object') return 'group'
  if (node.type === 'string') return LONG.test(key) ? 'text' : 'line'
  return undefined
}

/**
 * The JSON Schema (2020-12) of a collection's documents. Each field has a `title`; `input` names the kind of its
 * form control: line, text, number, day, switch, choice, list, group, color, drawing or `reference:COLLECTION`.
 */
export const schemaOf = (collection: CollectionName): Record<string, unknown> => {
  const schema = isList(collection) ? lists[collection] : singles[collection]
  return z.toJSONSchema(schema as z.ZodMiniType, {
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema, path }) => {
      const node = jsonSchema as Node
      const key = String(
        path.findLast((part) => typeof part === 'string' && !isKeyword(part)) ?? '',
      )
      if (key) node.title ??= labelOf(key)
      const input = inputOf(collection, key, node)
      if (input) node.input = input
    },
  }) as Record<string, unknown>
}

const keywords = ['properties', 'items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties']
const isKeyword = (part: string): boolean => keywords.includes(part) || /^\d+$/.test(part)

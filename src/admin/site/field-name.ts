import { useQuery } from '@tanstack/react-query'
import { collectionsQuery, entriesQuery } from './queries.ts'
import type { Path, SchemaNode } from './schema-fields.tsx'

/** "Web design" for `web-design`. */
export const inWords = (option: string): string => {
  const words = option.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** "Closing, Title" for the path of a field. */
export const labelAt = (node: SchemaNode | undefined, [key, ...rest]: Path): string => {
  // A problem of a long text names its block by itself.
  if (key === undefined || node?.input === 'richtext') return ''
  const options = [node, ...(node?.anyOf ?? [])]
  const child =
    typeof key === 'number'
      ? options.find((one) => one?.items)?.items
      : (options.find((one) => one?.properties?.[key])?.properties?.[key] ??
        (typeof node?.additionalProperties === 'object' ? node.additionalProperties : undefined))
  const own =
    typeof key === 'number' ? String(key + 1) : (node?.properties && child?.title) || inWords(key)
  const more = labelAt(child, rest)
  return more ? `${own}${typeof rest[0] === 'number' ? ' ' : ', '}${more}` : own
}

/** The label of a collection by its name. */
export const useCollectionLabel = () => {
  const { data } = useQuery(collectionsQuery)
  return (name: string): string =>
    data?.data.find(({ collection }) => collection === name)?.label ?? name
}

/** The names of a collection, of one of its entries and of a field of that, as the forms show them. */
export const useFieldName = (collection: string | null, id: string, path: Path) => {
  const { data } = useQuery({ ...entriesQuery(collection ?? ''), enabled: collection !== null })
  const labelOf = useCollectionLabel()
  return {
    list: labelOf(collection ?? ''),
    title: data?.data.find((row) => row.id === id)?.title ?? id,
    field: labelAt(data?.meta.schema as SchemaNode | undefined, path),
  }
}

import type { Path } from './schema-fields.tsx'

/** A field that two editors have changed, each to another value. */
export interface Clash {
  path: Path
  mine: unknown
  theirs: unknown
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The database gives the keys of a draft in another order than the files. */
export const isSame = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, place) => isSame(item, b[place]))
  if (!isObject(a) || !isObject(b)) return a === b
  return Object.keys({ ...a, ...b }).every((key) => isSame(a[key], b[key]))
}

/** The part of a document at a path. */
export const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null ? (found as never)[key as never] : undefined,
    value,
  )

/** True if an item of a list stands at another place than before: by its place it is joined with another one. */
const isMoved = (before: readonly unknown[], now: readonly unknown[]): boolean =>
  now.some(
    (item, place) => !isSame(item, before[place]) && before.some((other) => isSame(item, other)),
  )

/** Joins the changes of two editors to one document. A field that both have changed keeps mine, and is a clash. */
export const merged = (
  base: unknown,
  mine: unknown,
  theirs: unknown,
  path: Path = [],
): { value: unknown; clashes: Clash[] } => {
  if (isSame(mine, theirs) || isSame(base, theirs)) return { value: mine, clashes: [] }
  if (isSame(base, mine)) return { value: theirs, clashes: [] }
  if (
    Array.isArray(base) &&
    [mine, theirs].every(
      (list) => Array.isArray(list) && list.length === base.length && !isMoved(base, list),
    )
  ) {
    const items = (mine as unknown[]).map((item, at) =>
      merged(base[at], item, (theirs as unknown[])[at], [...path, at]),
    )
    return {
      value: items.map(({ value }) => value),
      clashes: items.flatMap(({ clashes }) => clashes),
    }
  }
  if (isObject(base) && isObject(mine) && isObject(theirs)) {
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])]
    const fields = keys.map(
      (key) => [key, merged(base[key], mine[key], theirs[key], [...path, key])] as const,
    )
    return {
      value: Object.fromEntries(
        fields.flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])),
      ),
      clashes: fields.flatMap(([, { clashes }]) => clashes),
    }
  }
  return { value: mine, clashes: [{ path, mine, theirs }] }
}

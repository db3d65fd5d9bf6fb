import type { IconName } from '#ui/all-icons.ts'
import type { Mark } from '../components/icon.tsx'
import { isSynonym, type Match, match } from './match.ts'

export interface Entry {
  /** It holds nobody's name or address: recent ones are remembered by it. */
  id: string
  label: string
  run: () => unknown
  /** Behind the label, in softer ink. */
  detail?: string
  /** The keys that do the same, one after the other. */
  keys?: readonly string[]
  icon?: IconName
  /** Records only: the mark in the place of an icon. */
  mark?: Mark
  /** True for places that are listed among the recent ones. */
  isPlace?: true
}

export interface Group {
  title: string
  entries: readonly Entry[]
}

/** An entry that a query found. */
export type Hit = Entry & Match

export interface HitGroup {
  title: string
  hits: readonly Hit[]
}

/** Found without a query, or by the server alone. */
const unmarked: Match = { score: 0, at: [] }

/** As a part of a word. */
const inTitle: Match = { score: 2, at: [] }

/** In the entry's own words, else with those of its group, else by what else it may be called. */
const find = (query: string, title: string, { label }: Entry): Match | null => {
  const inLabel = match(query, label)
  if (inLabel && inLabel.score >= inTitle.score) return inLabel
  const whole = match(query, `${title} ${label}`)
  const isFound = (whole && whole.score >= inTitle.score) || isSynonym(query, label)
  return isFound ? inTitle : inLabel
}

/** By how well they match, those that match alike in their order. A group's title finds all that is in it. */
export const findEntries = (query: string, { title, entries }: Group): HitGroup => ({
  title,
  hits: entries
    .flatMap((entry) => {
      const found = query ? find(query, title, entry) : unmarked
      return found ? [{ ...entry, ...found }] : []
    })
    .toSorted((a, b) => b.score - a.score),
})

/** A result of the server: only the highlighting is ours. */
export const asFound = (query: string, { title, entries }: Group): HitGroup => ({
  title,
  hits: entries.map((entry) => ({ ...entry, ...(match(query, entry.label) ?? unmarked) })),
})

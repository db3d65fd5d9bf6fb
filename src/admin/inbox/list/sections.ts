import { type Group, type GroupCounts, groups } from '#contract/inbox.ts'

/** A run of rows: those of one group below its head, or a whole list that has no groups. */
export interface Section {
  /** Null in a list without groups. */
  group: Group | null
  /** The place of its first record in the list. */
  from: number
  /** Its records, drawn or not. */
  count: number
  /** Null where it cannot be collapsed. */
  isCollapsed: boolean | null
  /** Drawn rows above it. */
  rowsBefore: number
  /** Pixels from the top of the list. */
  headTop: number
  rowsTop: number
  bottom: number
}

interface Sizes {
  row: number
  head: number
}

/** True if a group can be collapsed, and is. */
export type CollapsedOf = (group: Group) => boolean | null

/** Stacks the groups that have records; without groups, one section without a head. */
export const sectionsOf = (
  counts: GroupCounts | null,
  total: number,
  { row, head }: Sizes,
  collapsedOf: CollapsedOf = () => null,
): Section[] => {
  const parts = counts
    ? groups.map((group) => ({ group, count: counts[group], head }))
    : [{ group: null, count: total, head: 0 }]
  let [from, rowsBefore, headTop] = [0, 0, 0]
  return parts
    .filter(({ count }) => count > 0)
    .map(({ group, count, head: headHeight }) => {
      const isCollapsed = group && collapsedOf(group)
      const drawn = isCollapsed ? 0 : count
      const rowsTop = headTop + headHeight
      const section = { group, from, count, isCollapsed, rowsBefore, headTop, rowsTop }
      from += count
      rowsBefore += drawn
      headTop = rowsTop + drawn * row
      return { ...section, bottom: headTop }
    })
}

export const rowsOf = ({ count, isCollapsed }: Section): number => (isCollapsed ? 0 : count)

export const drawnRows = (sections: readonly Section[]): number =>
  sections.reduce((sum, section) => sum + rowsOf(section), 0)

/** The section that holds a place, collapsed or not. */
export const sectionAt = (sections: readonly Section[], place: number): Section | undefined =>
  sections.find(({ from, count }) => place >= from && place < from + count)

/** The number of rows drawn above a place: its own row, or the one that a collapsed place gives way to. */
export const rowAt = (sections: readonly Section[], place: number): number => {
  const section = sectionAt(sections, place)
  if (!section) return place < 0 ? 0 : drawnRows(sections)
  return section.rowsBefore + (section.isCollapsed ? 0 : place - section.from)
}

/** The place of a drawn row, counted from 0. */
export const placeOfRow = (sections: readonly Section[], row: number): number => {
  const section = sections.findLast((one) => one.rowsBefore <= row && rowsOf(one) > 0)
  return section ? section.from + row - section.rowsBefore : row
}

/** Pixels from the top of the list to a row; null where its group is collapsed. */
export const topOf = (sections: readonly Section[], place: number, rowHeight: number) => {
  const section = sectionAt(sections, place)
  return section && !section.isCollapsed
    ? section.rowsTop + (place - section.from) * rowHeight
    : null
}

/** The first row whose end lies below `y` pixels from the top of the list. */
export const rowBelow = (sections: readonly Section[], y: number, rowHeight: number): number => {
  for (const section of sections) {
    if (y < section.rowsTop) return section.rowsBefore
    if (y < section.bottom)
      return section.rowsBefore + Math.floor((y - section.rowsTop) / rowHeight)
  }
  return drawnRows(sections)
}

/** The place of the first row that is drawn. */
export const firstDrawn = (counts: GroupCounts | null, collapsedOf: CollapsedOf): number =>
  placeOfRow(sectionsOf(counts, 1, { row: 0, head: 0 }, collapsedOf), 0)

/** The entries of a collection, sorted by their `order`. */
export const inOrder = <Entry extends { data: { order: number } }>(
  entries: readonly Entry[],
): Entry[] => entries.toSorted((a, b) => a.data.order - b.data.order)

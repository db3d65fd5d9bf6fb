/** The entries of a collection in the order that they name. */
export const inOrder = <Entry extends { data: { order: number } }>(
  entries: readonly Entry[],
): Entry[] => entries.toSorted((a, b) => a.data.order - b.data.order)

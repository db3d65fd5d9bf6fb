/** One kind's records that are owed an answer, as far as they are known. */
export interface Untouched {
  /** In all, from the server's figures. */
  matching: number
  /** Those of them that were looked at, and how many of these were opened on this device. */
  seen: number
  opened: number
}

/**
 * How many are unread. Records opened here that are not among those looked at may be older ones of
 * this kind: `n` leaves them out, and `isMore` says that it may therefore be more.
 */
export const unreadOf = (
  { matching, seen, opened }: Untouched,
  openedElsewhere: number,
): { n: number; isMore: boolean } => {
  const doubtful = Math.min(Math.max(0, matching - seen), openedElsewhere)
  return { n: Math.max(0, matching - opened - doubtful), isMore: doubtful > 0 }
}

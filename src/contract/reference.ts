/** The short form of a record's id, for people to quote: the last eight hex digits (random in a UUIDv7). */
export const shortReference = (id: string): string => id.replaceAll('-', '').slice(-8).toUpperCase()

/** The number that stands for an applicant's name where it is hidden: 1 to 999,999. */
export const candidateNumber = (id: string): number =>
  (Number.parseInt(shortReference(id), 16) % 999_999) + 1

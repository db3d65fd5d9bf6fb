/** The short form of a record's id, for people to quote: the last eight hex digits (random in a UUIDv7). */
export const shortReference = (id: string): string => id.replaceAll('-', '').slice(-8).toUpperCase()

/** Date formats of the pages: in UTC, so that a visitor's time zone does not change the day. */

/** `June 30, 2027`. */
export const longDate = (date: Date): string =>
  Number.isNaN(date.getTime())
    ? 'No day yet'
    : date.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** `April 2024` for `2024-04`. */
export const longMonth = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

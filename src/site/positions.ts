/** A position's first and last day, UTC, both included. */
export interface OpenSpan {
  opens: Date
  closes: Date
}

const day = 24 * 60 * 60 * 1000

/** The moment after the last day on which one can apply. */
export const closingMoment = ({ closes }: OpenSpan) => new Date(closes.getTime() + day)

/** Whether applications are taken at `now`. */
export const isOpen = (span: OpenSpan, now: Date) => span.opens <= now && now < closingMoment(span)

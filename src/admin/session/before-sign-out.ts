const works = new Set<() => Promise<unknown>>()

/** Registers what stores unsent texts before a sign-out. */
export const beforeSignOut = (work: () => Promise<unknown>): void => {
  works.add(work)
}

/** A text or form that was begun, by its key in the tab's storage. */
const isText = (key: string): boolean =>
  /^(form|note|offer|reply):(?!key:|subject:|used:)/.test(key)

/** Stores what can be stored, and counts the texts that a sign-out would lose. */
export const countUnsent = async (): Promise<number> => {
  await Promise.all([...works].map((work) => work()))
  return Object.keys(sessionStorage).filter(isText).length
}

/** The name that a log gives an error: its message may hold personal data. */
export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

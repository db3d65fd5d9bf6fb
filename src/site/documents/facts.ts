import { counted, minimumAge } from '#contract/privacy/rules.ts'
import { brand } from '#site/content.ts'
import type { factNames } from './parts.ts'

/** The values of placeholders such as `{email}` in a text. */
export const facts = (): Record<(typeof factNames)[number], string> => ({
  email: brand().contact.email,
  minimumAge: String(minimumAge),
  ...{ visits: counted.visits, visitsWithout: counted.without },
})

export const withFacts = (text: string): string => {
  const known: Record<string, string> = facts()
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole)
}

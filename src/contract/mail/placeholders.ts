/** What a message or a template may leave to be filled in for each record. */

const placeholder = /\{(name|service|position|link)\}/g

export type PlaceholderValues = Record<'name' | 'service' | 'position' | 'link', string>

/** Fills a text in one pass: a value that looks like a placeholder stays as it is. */
export const fillPlaceholders = (text: string, values: PlaceholderValues): string =>
  text.replace(placeholder, (_, name: keyof PlaceholderValues) => values[name])

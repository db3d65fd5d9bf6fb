import { fillPlaceholders, type PlaceholderValues } from '#contract/mail/placeholders.ts'
import { isHidden } from '../blind.ts'
import type { KindView } from '../kinds/kind-view.ts'
import type { InboxRecord } from '../record.ts'

const empty: PlaceholderValues = { name: '', service: '', position: '', link: '' }

const hasPlaceholder = (text: string): boolean => fillPlaceholders(text, empty) !== text

/** The server's values for a record; the link stays as it is typed. */
export const valuesFor = (view: KindView, record: InboxRecord): PlaceholderValues => ({
  ...empty,
  ...view.placeholders(record),
  // A hidden name is filled in by the server.
  name: isHidden(record) ? '{name}' : record.name,
  link: '{link}',
})

/** A text as its sender will read it. Where a name looks like a placeholder, the server alone fills it, in one pass. */
export const fillFor = (view: KindView, record: InboxRecord, text: string): string =>
  hasPlaceholder(record.name) ? text : fillPlaceholders(text, valuesFor(view, record))

/** A text that was written to one person, to be used for others. A longer word that contains a value stays. */
export const asTemplate = (text: string, values: PlaceholderValues): string =>
  Object.entries(values).reduce((template, [name, value]) => {
    if (!value || name === 'link') return template
    const words = value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    // Words of scripts without capitals may be written without a space between them.
    const alone = new RegExp(`(?<![\\p{Cased}\\p{N}])${words}(?![\\p{Cased}\\p{N}])`, 'gu')
    return template.replace(alone, `{${name}}`)
  }, text)

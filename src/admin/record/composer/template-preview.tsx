import { fillPlaceholders, type PlaceholderValues } from '#contract/mail/placeholders.ts'
import styles from './template-preview.module.css'

/** A text as one person will read it; nothing while there is no text. */
export function TemplatePreview({
  text,
  name,
  values,
}: {
  text: string
  /** The name of the person who reads the text. */
  name: string
  values: PlaceholderValues
}) {
  if (!text.trim()) return null
  return (
    <section className={styles.preview} aria-label="Preview">
      <h3>
        As <bdi>{name}</bdi> would read it
      </h3>
      <p dir="auto">{fillPlaceholders(text.trim(), values)}</p>
      {text.includes('{link}') && <p>{'{link}'} becomes the link to their own page.</p>}
    </section>
  )
}

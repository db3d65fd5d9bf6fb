import type { RefObject } from 'react'
import styles from './composer.module.css'

/** A text that is as high as what it holds; Ctrl or ⌘ with Enter sends its form. */
export function ComposerField({
  id,
  label,
  field,
  text,
  max,
  onText,
}: {
  id: string
  label: string
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  max: number
  onText: (text: string, caret: number) => void
}) {
  return (
    <>
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className={styles.text}
        dir="auto"
        ref={field}
        value={text}
        maxLength={max}
        onChange={({ target }) => onText(target.value, target.selectionEnd)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
    </>
  )
}

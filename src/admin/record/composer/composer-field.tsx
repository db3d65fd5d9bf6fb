import type { RefObject } from 'react'
import { blank } from '#contract/mail/placeholders.ts'
import { sendByKey } from '../../components/form.tsx'
import styles from './composer.module.css'

/**
 * Selects the next blank of a text, or the one before, to be typed over.
 *
 * @returns whether there is one
 */
export const selectBlank = (field: HTMLTextAreaElement, isBack = false): boolean => {
  const found = [...field.value.matchAll(blank)].map(
    ({ index, 0: text }) => [index, index + text.length] as const,
  )
  const next = isBack
    ? found.findLast(([, end]) => end <= field.selectionStart)
    : found.find(([start]) => start >= field.selectionEnd)
  if (next) field.setSelectionRange(...next)
  return next !== undefined
}

/** Selects the placeholder or blank that a problem names, to be typed over. */
export const selectNamed = (
  field: HTMLTextAreaElement | HTMLInputElement | null,
  problem: string,
): void => {
  const named = /\{.+?\}/.exec(problem)?.[0] ?? ''
  const start = field?.value.indexOf(named) ?? 0
  field?.focus()
  field?.setSelectionRange(start, start + named.length)
}

interface Props {
  id: string
  label: string
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  max: number
  onText: (text: string, caret: number) => void
}

/** A text that is as high as what it holds; Ctrl or ⌘ with Enter sends its form. */
export function ComposerField({ id, label, field, text, max, onText }: Props) {
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
          if (event.key === 'Tab' && selectBlank(event.currentTarget, event.shiftKey)) {
            event.preventDefault()
          }
          sendByKey(event)
        }}
      />
    </>
  )
}

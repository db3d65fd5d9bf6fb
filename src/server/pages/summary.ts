import { fieldCountMessage } from '#contract/http/error-messages.ts'
import type { Changes } from './fill.ts'

interface Summary {
  /** The kind's path, with which the ids of its fields begin. */
  kind: { path: string }
  message: string
  detail: string
  errors: Readonly<Record<string, string>>
}

/** The summary takes the focus, and links to the refused fields in the order in which the page shows them. */
export const summaryChanges = (
  { kind, message, detail, errors }: Summary,
  ids: readonly string[],
): Changes => {
  const place = (name: string) => ids.indexOf(`${kind.path}-${name}`)
  const problems = Object.entries(errors).toSorted(([a], [b]) => place(a) - place(b))
  const isListed = problems.length > 0
  return {
    '[role=alert]': { attributes: { autofocus: '' } },
    '[role=alert] h2': isListed ? fieldCountMessage(problems.length) : null,
    '[role=alert] .what': isListed ? null : message,
    '[role=alert] ul': isListed ? {} : null,
    '[role=alert] li': problems.map(([name, text]) => ({
      a: { text, attributes: { href: `#${kind.path}-${name}` } },
    })),
    '[role=alert] .soft': detail,
  }
}

/** A field of a page that is drawn with every field refused: a sound one loses its message, and names it no more. */
export const fieldChanges = (
  id: string,
  ids: readonly string[],
  { error, value }: { error: string | undefined; value?: string },
): Changes => {
  const described = [`${id}-optional`, `${id}-hint`].filter((part) => ids.includes(part)).join(' ')
  return {
    [`#${id}`]: {
      ...(value !== undefined && { value }),
      attributes:
        error === undefined
          ? { 'aria-invalid': null, 'aria-describedby': described || null }
          : { 'aria-invalid': 'true' },
    },
    ...(error === undefined ? { [`#${id}-error`]: null } : { [`#${id}-error span`]: error }),
  }
}

import type { Mark, Text } from '#contract/content/rich-text.ts'

/** Components of `src/components/legal` that print what the code knows; in a text each is a paragraph such as `{contact}`. */
export const parts = [
  { name: 'contact', tag: '<ContactLine />', file: 'contact-line' },
  { name: 'fields', tag: '<FieldList />', file: 'field-list' },
  { name: 'retention', tag: '<Retention />', file: 'retention' },
  { name: 'storedByStaff', tag: '<StoredItems holder="staff" />', file: 'stored-items' },
  { name: 'storedByVisitors', tag: '<StoredItems holder="visitor" />', file: 'stored-items' },
] as const

/** Facts that stand in a text as `{email}`, in MDX as `{props.email}`. */
export const factNames = ['email', 'minimumAge', 'visits', 'visitsWithout'] as const

/** The order of marks in a document, the outermost first. */
export const markOrder = ['link', 'sample', 'bold', 'italic', 'code'] as const

/** Texts in runs that share the mark of this depth. */
export const runsOf = (texts: readonly Text[], depth: number) => {
  const markOf = ({ marks }: Text) => marks?.find(({ type }) => type === markOrder[depth])
  const runs: { mark: Mark | undefined; texts: Text[] }[] = []
  for (const text of texts) {
    const mark = markOf(text)
    const last = runs.at(-1)
    if (last && JSON.stringify(last.mark) === JSON.stringify(mark)) last.texts.push(text)
    else runs.push({ mark, texts: [text] })
  }
  return runs
}

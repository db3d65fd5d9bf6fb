import { useId } from 'react'
import { Key } from '../components/key.tsx'
import { draftKey, readDraft, storeDraft, writeDraft } from '../record/composer/drafts.ts'
import { fillFor } from '../record/composer/placeholder-values.ts'
import { useTemplatesFor } from '../record/composer/templates.ts'
import type { OpenRecord } from '../record/kinds/kind-view.ts'
import { useProfile } from '../session/profile.ts'
import { useShortcuts } from '../shell/shortcuts.tsx'

/** As many as there are digits to choose them by. */
const most = 9

interface Props extends OpenRecord {
  className: string | undefined
  onChoose: () => void
}

/**
 * The templates of a kind: a click or a digit puts one into the reply, to be read and sent: below what was
 * begun, or in the place of another template.
 */
export function Templates({ view, record, className, onChoose }: Props) {
  const title = useId()
  const { id: user } = useProfile()
  const { data = [] } = useTemplatesFor(view.kind)
  const templates = data.slice(0, most)
  const fill = (text: string) => fillFor(view, record, text)
  const choose = (text: string) => {
    const draft = draftKey('reply', user, record._id)
    const begun = readDraft(draft)
    const isTemplate = data.some((template) => fill(template.text) === begun)
    writeDraft(draft, [isTemplate ? '' : begun, fill(text)].filter(Boolean).join('\n\n'))
    storeDraft(view.kind, record._id, draft)
    onChoose()
  }

  useShortcuts(
    Object.fromEntries(templates.map(({ text }, index) => [String(index + 1), () => choose(text)])),
  )

  if (templates.length === 0) return null
  return (
    <section className={className} aria-labelledby={title}>
      <h3 className="caption" id={title}>
        Reply with
      </h3>
      <ul>
        {templates.map(({ _id, name, text }, index) => (
          <li key={_id}>
            <button type="button" onClick={() => choose(text)}>
              <b>{name}</b>
              <Key of={String(index + 1)} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

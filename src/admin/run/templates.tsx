import { useId } from 'react'
import { Key } from '../components/key.tsx'
import { draftKey, writeDraft } from '../inbox/answer/drafts.ts'
import { fillFor } from '../inbox/answer/placeholder-values.ts'
import { useTemplatesFor } from '../inbox/answer/templates.ts'
import type { InboxRecord } from '../inbox/api/record.ts'
import type { KindView } from '../inbox/kinds/kind-view.ts'
import { useProfile } from '../session/profile.ts'
import { useShortcuts } from '../shell/shortcuts.tsx'

/** As many as there are digits to choose them by. */
const most = 9

/** The templates of a kind: a click or a digit puts one into the reply, to be read and sent. */
export function Templates({
  view,
  record,
  className,
  onChoose,
}: {
  view: KindView
  record: InboxRecord
  className: string | undefined
  onChoose: () => void
}) {
  const title = useId()
  const { id: user } = useProfile()
  const { data = [] } = useTemplatesFor(view.kind)
  const templates = data.slice(0, most)
  const choose = (text: string) => {
    writeDraft(draftKey('reply', user, record._id), fillFor(view, record, text))
    onChoose()
  }

  useShortcuts(
    Object.fromEntries(templates.map(({ text }, index) => [String(index + 1), () => choose(text)])),
  )

  if (templates.length === 0) return null
  return (
    <section className={className} aria-labelledby={title}>
      <h3 id={title}>Reply with</h3>
      <ul>
        {templates.map(({ _id, name, text }, index) => (
          <li key={_id}>
            <button type="button" onClick={() => choose(text)}>
              {name}
              <Key of={String(index + 1)} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

import type { RelatedRecord } from '#contract/inbox.ts'
import { TextLink } from '../components/text-link.tsx'
import { Moment } from './conversation/message.tsx'
import { type KindView, statusView } from './kinds/kind-view.ts'
import { views } from './kinds/views.ts'
import styles from './record.module.css'

export function Related({ related, view }: { related: readonly RelatedRecord[]; view: KindView }) {
  if (related.length === 0) return null
  return (
    <>
      <h3 className={styles.subhead}>From the same person</h3>
      <ul className={styles.related}>
        {related.map(({ kind, _id, createdAt, status, box }) => {
          const other = views[kind]
          return (
            <li key={_id}>
              <TextLink
                to={`/admin/${kind}`}
                search={{ id: _id, ...(box === 'inbox' ? {} : { box }) }}
                replace={kind === view.kind}
              >
                {other.noun.replace(/^./, (letter) => letter.toUpperCase())}
              </TextLink>
              <span className="soft">
                {statusView(other, status).label}
                {box === 'inbox' ? '' : `, in ${box}`}
              </span>
              <Moment at={createdAt} />
            </li>
          )
        })}
      </ul>
    </>
  )
}

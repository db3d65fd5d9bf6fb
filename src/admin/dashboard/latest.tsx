import { useId } from 'react'
import { useNow } from '../browser/use-now.ts'
import { Empty } from '../components/empty.tsx'
import { StageMark } from '../components/icon.tsx'
import { TextLink } from '../components/text-link.tsx'
import { When } from '../components/when.tsx'
import { countOrDash } from '../format/count.ts'
import { dayOf } from '../format/dates.ts'
import { markLabel, markOf } from '../record/clock/promise.ts'
import { type KindView, stampFields, statusView } from '../record/kinds/kind-view.ts'
import type { Filter, InboxRecord } from '../record/record.ts'
import { Link } from '../router/link.tsx'
import styles from './latest.module.css'

/** The newest records of one kind, or those that a filter selects; undefined while they are on their way. */
export function Latest({
  view,
  records,
  of,
}: {
  view: KindView
  records: InboxRecord[] | undefined
  of?: { filter: Filter; count: number | undefined }
}) {
  const title = useId()
  return (
    <section aria-labelledby={title}>
      <div className={styles.head}>
        <h2 id={title}>
          {view.title} {of && countOrDash(of.count)}
        </h2>
        <TextLink to={`/admin/${view.kind}`} search={of?.filter}>
          View all<span className="visually-hidden"> {view.nouns}</span>
        </TextLink>
      </div>
      {records?.length === 0 && of && <p>None.</p>}
      {records?.length === 0 && !of && (
        <Empty text={view.texts.empty}>
          They come from <a href={view.form}>this form on the site</a>.
        </Empty>
      )}
      <ul>
        {records?.map((record) => (
          <Row key={record._id} view={view} record={record} />
        ))}
      </ul>
    </section>
  )
}

function Row({ view, record }: { view: KindView; record: InboxRecord }) {
  const now = useNow()
  const status = statusView(view, record.status)
  const by = stampFields(view, record)?.by
  return (
    <li>
      <Link className={styles.row} to={`/admin/${view.kind}`} search={{ id: record._id }}>
        <StageMark
          stage={markOf(record, status.stage, now)}
          label={markLabel(record, status.label, now)}
        />
        <b className="one-line" dir="auto">
          {record.name}
        </b>
        <When at={record.createdAt} as={dayOf} />
        <span className={`secondary one-line ${styles.line}`}>
          <bdi>{view.line(record)}</bdi>
          {view.kind !== 'contacts' && `, ${status.label.toLowerCase()}`}
        </span>
        <span className={`secondary one-line ${styles.line}`}>{record.email}</span>
        {by && <span className={`secondary one-line ${styles.by}`}> By {by}</span>}
      </Link>
    </li>
  )
}

import { memo, type PointerEvent } from 'react'
import { type Match, matchIn } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { StageMark } from '../../components/icon.tsx'
import { exactlyOf } from '../../format/dates.ts'
import { dueLabel, initialsOf } from '../../record/clock/due-label.ts'
import { isOwedByDay, markLabel, markOf } from '../../record/clock/promise.ts'
import { excerptOf, statusView } from '../../record/kinds/kind-view.ts'
import type { InboxRecord } from '../../record/record.ts'
import { isPlain } from '../../router/link.tsx'
import styles from './list.module.css'
import type { ListProps } from './list.tsx'
import { useLongPress } from './use-long-press.ts'

interface RowProps extends Pick<ListProps, 'view' | 'now' | 'isSelecting' | 'onSelect' | 'onOpen'> {
  record: InboxRecord
  /** In its group, from 0. */
  position: number
  /** Records in its group. */
  count: number
  top: number
  /** Assigned to the person who looks. */
  isOwn: boolean
  isOpen: boolean
  isSelected: boolean
  isUnsaved: boolean
  href: string
  /** The search text that found it. */
  query: string | undefined
}

/** Sets the tooltip when it may be shown: formatting it for each row that scrolls by would cost too much. */
const sayExactly = ({ currentTarget }: PointerEvent<HTMLTimeElement>): void => {
  currentTarget.title = exactlyOf(currentTarget.dateTime)
}

// Drawn again only when it changes: a list that scrolls draws dozens of rows in each frame. For the
// same reason its link is a plain one, and not the router's, which follows every change of address.
export const Row = memo(function Row({
  view,
  record,
  position,
  count,
  top,
  now,
  isOwn,
  isOpen,
  isSelected,
  isUnsaved,
  href,
  onSelect,
  isSelecting,
  query,
  onOpen,
}: RowProps) {
  const status = statusView(view, record.status)
  const due = dueLabel(record, now)
  const tag = view.tag(record)
  const { unread } = record
  const match = record.match ?? (query ? matchIn(view.body(record).text, query) : null)
  const press = useLongPress(() => onSelect?.(record._id))
  return (
    <li
      className={styles.row}
      style={{ top }}
      aria-setsize={count}
      aria-posinset={position + 1}
      data-id={record._id}
      data-open={isOpen || undefined}
      data-selected={isSelected || undefined}
      data-unread={unread || undefined}
    >
      {onSelect && (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={isSelected}
            aria-label={`Select ${record.name}`}
            onChange={() => onSelect(record._id)}
          />
        </label>
      )}
      <a
        className={styles.link}
        href={href}
        aria-current={isOpen ? 'true' : undefined}
        {...(onSelect ? press.handlers : {})}
        onClick={(event) => {
          if (!isPlain(event)) return
          event.preventDefault()
          if (press.wasLong()) return
          const isByKey = event.detail === 0
          if (isSelecting && !isByKey && press.wasTouch()) onSelect?.(record._id)
          else onOpen(record._id, isByKey)
        }}
      >
        <StageMark
          stage={markOf(record, status.stage, now)}
          label={markLabel(record, status.label, now)}
        />
        <b className={`one-line ${styles.name}`} dir="auto">
          {record.name}
        </b>
        {unread && <span className="visually-hidden">, unread</span>}
        <span className={`secondary one-line ${styles.excerpt}`}>
          {isUnsaved && <em className="bad">Not saved yet. </em>}
          {match && query ? (
            <Matched match={match} query={query} />
          ) : (
            <bdi>{excerptOf(view, record)}</bdi>
          )}
        </span>
        {tag && <span className={`secondary one-line ${styles.tag}`}>{tag}</span>}
        {record.assignee && (
          <span className={styles.initials} data-own={isOwn || undefined} title={record.assignee}>
            <span aria-hidden="true">{initialsOf(record.assignee)}</span>
            <span className="visually-hidden">Assigned to {record.assignee}</span>
          </span>
        )}
        <time className={styles.due} dateTime={due.at} onPointerEnter={sayExactly}>
          {due.promised && !isOwedByDay(record) && <Dial hours={due.promised.used} />}
          {due.text}
        </time>
      </a>
    </li>
  )
})

const places: Readonly<Record<Match['in'], string>> = {
  message: 'in a message',
  reply: 'in a reply',
  note: 'in a note',
  text: 'in the text',
}

/** The words around what a search found, with those of the search marked. */
function Matched({ match, query }: { match: Match; query: string }) {
  const found = query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  let at = 0
  return (
    <>
      <span className={styles.where}>{places[match.in]}: </span>
      <bdi>
        {match.text.split(new RegExp(`(${found})`, 'iu')).map((part, index) => {
          at += part.length
          // Every second part is what was searched for.
          return index % 2 === 1 ? <mark key={at}>{part}</mark> : part
        })}
      </bdi>
    </>
  )
}

/** The hours used of the promise. `pathLength` makes the dash count hours. */
const Dial = ({ hours }: { hours: number }) => (
  <svg className={styles.dial} viewBox="0 0 18 18" aria-hidden="true">
    <circle cx="9" cy="9" r="7" />
    <circle
      cx="9"
      cy="9"
      r="7"
      pathLength={limits.promiseHours}
      strokeDasharray={`${hours} ${limits.promiseHours}`}
    />
  </svg>
)

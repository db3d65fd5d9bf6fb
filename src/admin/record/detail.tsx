import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import { loadedLater } from '../browser/loaded-later.ts'
import { usePatches } from '../changes/change.ts'
import { LoadFailed } from '../components/load-failed.tsx'
import { isGone } from '../session/session.ts'
import styles from './detail.module.css'
import { loadHiring, useHiring } from './hiring/load.ts'
import type { KindView } from './kinds/kind-view.ts'
import { useMarkSeen } from './mark-seen.ts'
import { detailQuery } from './read-record.ts'
import type { InboxRecord } from './record.ts'
import { useSwipe } from './use-swipe.ts'

// Loaded when the list is there: a list can be read and searched without it.
const content = loadedLater(async () => (await import('./content.tsx')).Content)
export const loadDetail = content.load

export interface DetailProps {
  view: KindView
  id: string | undefined
  /** It is not yet known which record is open. */
  isWaiting: boolean
  /** False for a record that opened by itself: it counts as unread until it is used. */
  isChosen: boolean
  now: number
  heading: RefObject<HTMLHeadingElement | null>
  /** The record that opened by itself is used. */
  onChoose: () => void
  /** To the next record or the one before. */
  onStep: (by: 1 | -1) => void
  /** Back to the list, where they stand one after the other. */
  onClose: () => void
  onRemove: (record: InboxRecord) => void
}

export function Detail(props: DetailProps) {
  const { view, id, isWaiting, isChosen, onChoose, onStep } = props
  const choose = id && !isChosen ? onChoose : undefined
  return (
    <section
      className={styles.detail}
      aria-label="Detail"
      onPointerDown={choose}
      onKeyDown={choose}
      onWheel={choose}
      {...useSwipe(onStep)}
    >
      {id ? (
        <Opened key={id} {...props} id={id} />
      ) : isWaiting ? null : (
        <div className={`soft ${styles.none}`}>
          <svg viewBox="0 0 120 60" aria-hidden="true">
            <path d="M4 56C30 20 52 8 104 14" />
            <path d="m104 6 9 15H95Z" />
          </svg>
          <p>{view.nothingSelected}</p>
        </div>
      )}
    </section>
  )
}

function Opened(props: DetailProps & { id: string }) {
  const { view, id, isChosen, onChoose, onClose } = props
  // Once: what the list's row gave to draw stays drawn where the list is read again without that row.
  const query = useMemo(() => detailQuery(view.kind, id), [view.kind, id])
  const { data, error, refetch, isPlaceholderData } = useQuery(query)
  const patch = usePatches(view.kind).get(id)
  const Content = content.use()
  const hasParts = useHiring(view) !== undefined
  const [failed, setFailed] = useState(false)

  const isUnseen =
    isChosen &&
    data !== undefined &&
    !isPlaceholderData &&
    (data.unread || !data.seenAt) &&
    data.box !== 'trash'
  useMarkSeen(view.kind, id, isUnseen)

  useEffect(() => {
    if (!failed) void Promise.all([content.load(), loadHiring(view)]).catch(() => setFailed(true))
  }, [failed, view])

  const isChanged = patch !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change
  useEffect(() => {
    if (isChanged && !isChosen) onChoose()
  }, [isChanged])

  if (isGone(error))
    return (
      <LoadFailed
        sentence={`This ${view.noun} does not exist any more.`}
        action="Back"
        retry={onClose}
      />
    )
  if (!data && error) return <LoadFailed sentence={view.texts.loadFailed} retry={refetch} />
  if (!(Content && hasParts) && failed)
    return <LoadFailed sentence={view.texts.loadFailed} retry={() => setFailed(false)} />
  if (!data || !Content || !hasParts) return <DetailSkeleton />
  return (
    <Content
      {...props}
      record={patch ? { ...data, ...patch } : data}
      isWhole={!isPlaceholderData}
    />
  )
}

function DetailSkeleton() {
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">Loading...</span>
      <i />
      <i />
      <i />
      <i />
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import * as desk from '#contract/content/desk.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { submitTo, textIn } from '../components/form.tsx'
import { Icon } from '../components/icon.tsx'
import { MoveButtons } from '../components/move-buttons.tsx'
import { counted } from '../format/count.ts'
import { Link } from '../router/link.tsx'
import { queryClient } from '../session/query-client.ts'
import { askOnce } from '../session/session.ts'
import { useAction } from '../shell/notices.tsx'
import { Grip } from './grip.tsx'
import { type Collections, deskKey, entriesQuery, groupsOf, pageOf, urlFor } from './queries.ts'
import { emptyValue, type SchemaNode } from './schema-fields.tsx'
import styles from './site.module.css'

interface Props {
  all: Collections
  /** The open collection and entry. */
  collection: string | undefined
  id: string | undefined
  mayChange: (collection: string) => boolean
  /** False on a phone while another part of the screen is shown. */
  isShown: boolean
  onAdded: (collection: string, id: string) => void
}

/** Brings the row of what is open into sight, in the list alone where that scrolls by itself. */
const showOpen = (list: HTMLElement | null) => {
  const row = list?.querySelector('[aria-current]')?.closest('li')
  if (!list || !row) return
  if (list.scrollHeight <= list.clientHeight) {
    row.scrollIntoView({ block: 'nearest' })
    return
  }
  const [all, own] = [list.getBoundingClientRect(), row.getBoundingClientRect()]
  const [above, below] = [own.top - all.top, own.bottom - Math.min(all.bottom, innerHeight)]
  if (above < 0) list.scrollTop += above
  else if (below > 0) list.scrollTop += Math.ceil(Math.min(above, below))
}

/** All collections in groups; the open one shows its entries. */
export function CollectionList({ all, collection, id, mayChange, isShown, onAdded }: Props) {
  const list = useRef<HTMLElement>(null)
  const isKnown = all.some((one) => one.collection === collection)
  const { isSuccess } = useQuery({ ...entriesQuery(collection ?? ''), enabled: isKnown })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is open depends on these alone
  useEffect(() => showOpen(list.current), [collection, id, isShown, isSuccess])
  return (
    <nav aria-label="Texts of the site" className={styles.collections} ref={list}>
      {groupsOf(all).map(([group, members]) => (
        <section key={group} aria-label={group}>
          <h2>
            {members.every((one) => desk.ownersOnly.includes(one.collection)) && (
              <Icon name="lock" />
            )}
            {group}
          </h2>
          <ul>
            {members.map((one) => (
              <li key={one.collection}>
                <Link
                  {...urlFor(one.collection)}
                  aria-current={
                    one.collection === collection && (!id || one.single) ? 'page' : undefined
                  }
                  data-open={one.collection === collection || undefined}
                >
                  <span className={styles.name}>{one.label}</span>
                  {one.changed > 0 && (
                    <span className={styles.diamond}>
                      {one.changed}
                      <span className="visually-hidden"> not published</span>
                    </span>
                  )}
                  <span className={styles.count}>{one.single ? '' : one.entries}</span>
                </Link>
                {one.collection === collection && !one.single && (
                  <Entries
                    collection={one.collection}
                    open={id}
                    mayChange={mayChange(one.collection)}
                    onAdded={(added) => onAdded(one.collection, added)}
                  />
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p className="secondary">
        <span className={styles.diamond} /> counts what is changed and not yet published.
      </p>
    </nav>
  )
}

const stateWords: Record<desk.EntryState, string> = {
  same: '',
  changed: 'changed',
  new: 'new',
  removed: 'removed',
}

interface EntriesProps {
  collection: string
  open: string | undefined
  mayChange: boolean
  onAdded: (id: string) => void
}

/** The entries of a collection; their order is changed by dragging and by Alt with the arrow keys. */
function Entries({ collection, open, mayChange, onAdded }: EntriesProps) {
  const { data } = useQuery(entriesQuery(collection))
  const [isNaming, setNaming] = useState(false)
  const [lacksTitle, setLacksTitle] = useState(false)
  // The address of a page follows from the title that it is added with, and stays.
  const schema = data?.meta.schema as SchemaNode | undefined
  const isPage = schema?.properties?.title && pageOf(collection, 'new').endsWith('/new')
  const rows = data?.data ?? []
  const kept = rows.filter(({ state }) => state !== 'removed')

  const { queryKey } = entriesQuery(collection)
  const show = (ids: string[]) =>
    queryClient.setQueryData(
      queryKey,
      (stored) =>
        stored && {
          ...stored,
          data: stored.data.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
        },
    )
  const { mutateAsync: saveOrder } = useAction(async (ids: string[]) => {
    // The answer to the move before has brought its own order and the version that this one is based on.
    const version = show(ids)?.meta.version
    try {
      await askOnce(desk.orderEntries, { params: { collection }, body: { ids, version } })
    } finally {
      await queryClient.invalidateQueries({ queryKey: deskKey })
    }
  }, 'The order was not changed. Somebody else may have changed it: look at it again.')
  const saving = useRef<Promise<unknown>>(Promise.resolve())
  /** The order after the moves that are not saved yet. */
  const wanted = useRef<string[]>(undefined)
  const order = (ids: string[]) => {
    wanted.current = ids
    show(ids)
    saving.current = saving.current.then(() => saveOrder(ids))
    saving.current.then(
      () => {
        if (wanted.current === ids) wanted.current = undefined
      },
      () => {
        saving.current = Promise.resolve()
        wanted.current = undefined
      },
    )
  }
  const { mutate: add, isPending: isAdding } = useAction(async (title: string) => {
    const empty = schema ? emptyValue(schema) : {}
    const value = title ? { ...(empty as object), title } : empty
    const added = await askOnce(desk.addEntry, { params: { collection }, body: { value } })
    await queryClient.invalidateQueries({ queryKey: deskKey })
    setNaming(false)
    onAdded(added.data.id)
  }, 'The entry was not added. Please try again.')

  const moveBy = (id: string, by: number) => {
    const ids = wanted.current ?? kept.map((row) => row.id)
    const from = ids.indexOf(id)
    const place = from + by
    if (from < 0 || place < 0 || place >= ids.length || place === from) return
    order(ids.toSpliced(from, 1).toSpliced(place, 0, id))
  }
  const keys = (event: KeyboardEvent, id: string, index: number) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!by) return
    event.preventDefault()
    if (event.altKey && mayChange) return moveBy(id, by)
    const links = event.currentTarget.closest('ol')?.querySelectorAll('a')
    links?.[index + by]?.focus()
  }
  return (
    <ol className={styles.entries}>
      {rows.map(({ id, title, note, state, problems }, index) => (
        <li key={id} data-place={state === 'removed' ? undefined : index}>
          {mayChange && state !== 'removed' && kept.length > 1 && (
            <Grip move={(to) => moveBy(id, to - index)} />
          )}
          <Link
            {...urlFor(collection, id)}
            aria-current={id === open ? 'page' : undefined}
            aria-keyshortcuts={mayChange ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
            data-state={state}
            draggable={false}
            onKeyDown={(event) => keys(event, id, index)}
          >
            <span className={styles.name}>{title}</span>
            {note && <span className={styles.count}>{note}</span>}
            {state !== 'same' && <span className={styles.diamond}>{stateWords[state]}</span>}
            {problems > 0 &&
              (state === 'new' ? (
                `${problems} to fill in`
              ) : (
                <span className="bad">{counted(problems, 'problem')}</span>
              ))}
          </Link>
          {mayChange && id === open && state !== 'removed' && kept.length > 1 && (
            <p className={styles.itemActions}>
              <MoveButtons
                name={title}
                index={index}
                count={kept.length}
                move={(to) => moveBy(id, to - index)}
              />
            </p>
          )}
        </li>
      ))}
      {mayChange && (
        <li>
          {isNaming ? (
            <form
              className={styles.naming}
              noValidate
              onSubmit={submitTo((form) => {
                const title = textIn(form, 'title')
                setLacksTitle(!title)
                if (title) add(title)
              })}
            >
              <label>
                Title of the new page
                <input
                  className={styles.line}
                  id="new-title"
                  name="title"
                  maxLength={80}
                  required
                  aria-invalid={lacksTitle || undefined}
                  aria-describedby={lacksTitle ? 'new-title-error' : undefined}
                  ref={(input) => {
                    input?.focus()
                    input?.form?.scrollIntoView({ block: 'nearest' })
                  }}
                />
              </label>
              {lacksTitle && (
                <p className="err" id="new-title-error">
                  Write a title.
                </p>
              )}
              <Button type="submit" busy={isAdding && 'Adding...'}>
                Add
              </Button>
              <LinkButton onClick={() => setNaming(false)}>Cancel</LinkButton>
            </form>
          ) : (
            <LinkButton
              className={styles.add}
              busy={isAdding}
              onClick={() => (isPage ? setNaming(true) : add(''))}
            >
              + New entry
            </LinkButton>
          )}
        </li>
      )}
    </ol>
  )
}

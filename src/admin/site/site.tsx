import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { newKey } from '#client/idempotency-key.ts'
import * as desk from '#contract/desk.ts'
import { may } from '#contract/http/access.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { LoadFailed } from '../components/load-states.tsx'
import { counted } from '../format/count.ts'
import { Link } from '../router/link.tsx'
import { navigate, parametersOf, useLocation } from '../router/location.ts'
import { useProfile } from '../session/profile.ts'
import { ask, sentenceOf } from '../session/session.ts'
import { notify } from '../shell/notices.tsx'
import { EntryForm } from './entry-form.tsx'
import { History } from './history.tsx'
import { Preview } from './preview.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { collectionsQuery, deskKey, entriesQuery, pageOf } from './queries.ts'
import styles from './site.module.css'

/** Changed by superusers alone. */
const ownersOnly = ['brand', 'legal']

const to = '/admin/site'
const urlFor = (collection: string, entry?: string) =>
  ({ to, search: { collection, entry } }) as const

/** What the site says: its texts, their preview, and what is published. */
export function Site() {
  const { role } = useProfile()
  const { collection, entry, view } = useLocation(({ search }) => parametersOf(search))
  const { data, error, refetch } = useQuery(collectionsQuery)
  const [publishes, setPublishes] = useState(false)
  const [edition, setEdition] = useState(0)
  const open = (name: string, id?: string) => {
    setPublishes(false)
    void navigate(urlFor(name, id))
  }
  if (error)
    return (
      <>
        <h1>Site</h1>
        <LoadFailed
          sentence={sentenceOf(error, 'The texts could not be loaded.')}
          retry={refetch}
        />
      </>
    )
  if (!data)
    return (
      <>
        <h1>Site</h1>
        <p role="status">Loading...</p>
      </>
    )
  const { data: collections, meta } = data
  const chosen = collections.find((one) => one.collection === collection)
  const mayChange = (name: string) => !ownersOnly.includes(name) || may(role, 'content.own')
  const id = chosen?.single ? chosen.collection : entry
  return (
    <>
      <header className={styles.head}>
        <h1>Site</h1>
        <p>
          {meta.changed === 0 ? 'Nothing to publish' : <b>{counted(meta.changed, 'change')}</b>}
        </p>
        {may(role, 'content.publish') && (
          <Button
            disabled={meta.changed === 0 || !meta.canPublish}
            onClick={() => setPublishes(true)}
          >
            Publish…
          </Button>
        )}
        <Link to={to} search={{ view: 'history' }}>
          History
        </Link>
      </header>
      {!meta.canPublish && may(role, 'content.publish') && (
        <p className={styles.soft}>
          This build cannot draw the site. Build it again, then publish. Drafts are kept.
        </p>
      )}
      <div className={styles.desk}>
        <nav aria-label="Texts of the site" className={styles.collections}>
          <ul>
            {collections.map((one) => (
              <li key={one.collection}>
                <Link
                  {...urlFor(one.collection)}
                  aria-current={one.collection === collection ? 'page' : undefined}
                >
                  {one.label}{' '}
                  {one.changed > 0 && (
                    <span className={styles.diamond}>
                      {one.changed}
                      <span className="visually-hidden"> changed</span>
                    </span>
                  )}
                  {!one.single && <span className={styles.count}>{one.entries}</span>}
                </Link>
                {one.collection === collection && !one.single && (
                  <Entries
                    collection={one.collection}
                    open={id}
                    mayChange={mayChange(one.collection)}
                    onAdded={(added) => open(one.collection, added)}
                  />
                )}
              </li>
            ))}
          </ul>
        </nav>
        <div className={styles.form}>
          {view === 'history' && <History canPublish={meta.canPublish} />}
          {view !== 'history' && !chosen && <Start />}
          {chosen && !id && view !== 'history' && <p>Choose an entry of {chosen.label}.</p>}
          {chosen && id && (
            <Open
              collection={chosen.collection}
              id={id}
              single={chosen.single}
              label={chosen.label}
              mayChange={mayChange(chosen.collection)}
              onSaved={() => setEdition((before) => before + 1)}
              onRemoved={() => open(chosen.collection)}
            />
          )}
        </div>
        {chosen && id && (
          <Preview
            path={pageOf(chosen.collection, id)}
            entry={`${chosen.collection}/${id}`}
            edition={edition}
            onOpen={open}
          />
        )}
      </div>
      {publishes && (
        <PublishDialog release={meta.release} onClose={() => setPublishes(false)} onOpen={open} />
      )}
    </>
  )
}

const Start = () => (
  <section aria-labelledby="start-title">
    <h2 id="start-title">Change what the site says</h2>
    <p>
      Choose a text. What you write is kept as a draft that only staff see; the preview shows the
      page with it. Publishing puts all drafts on the site within seconds, and every earlier state
      can be brought back.
    </p>
  </section>
)

function Open({
  single,
  label,
  ...props
}: Omit<Parameters<typeof EntryForm>[0], 'title'> & { single: boolean; label: string }) {
  const { data } = useQuery(entriesQuery(props.collection))
  const title = single ? label : data?.data.find((row) => row.id === props.id)?.title
  return <EntryForm {...props} title={title ?? props.id} />
}

const stateWords: Record<desk.EntryState, string> = {
  same: '',
  changed: 'changed',
  new: 'new',
  removed: 'removed',
}

function Entries({
  collection,
  open,
  mayChange,
  onAdded,
}: {
  collection: string
  open: string | undefined
  mayChange: boolean
  onAdded: (id: string) => void
}) {
  const client = useQueryClient()
  const { data } = useQuery(entriesQuery(collection))
  const rows = data?.data ?? []
  const act = async (work: () => Promise<unknown>) => {
    try {
      await work()
      await client.invalidateQueries({ queryKey: deskKey })
    } catch (error) {
      notify({ text: sentenceOf(error, 'That did not work. Please try again.') })
    }
  }
  const move = (index: number) =>
    act(() => {
      const ids = rows.filter(({ state }) => state !== 'removed').map(({ id }) => id)
      const [id = ''] = ids.splice(index, 1)
      ids.splice(index - 1, 0, id)
      return ask(
        desk.orderEntries,
        { params: { collection }, body: { ids, version: data?.meta.version } },
        { idempotencyKey: newKey() },
      )
    })
  const add = () =>
    act(async () => {
      const added = await ask(
        desk.addEntry,
        { params: { collection }, body: {} },
        { idempotencyKey: newKey() },
      )
      onAdded(added.data.id)
    })
  return (
    <ol className={styles.entries}>
      {rows.map(({ id, title, state, problems }, index) => (
        <li key={id}>
          <Link
            {...urlFor(collection, id)}
            aria-current={id === open ? 'true' : undefined}
            data-state={state}
          >
            {title} <span className={styles.soft}>{stateWords[state]}</span>
            {problems > 0 && <span className={styles.bad}>{counted(problems, 'problem')}</span>}
          </Link>
          {mayChange && index > 0 && id === open && state !== 'removed' && (
            <LinkButton on={title} onClick={() => move(index)}>
              Move up
            </LinkButton>
          )}
        </li>
      ))}
      {mayChange && (
        <li>
          <LinkButton onClick={add}>New entry</LinkButton>
        </li>
      )}
    </ol>
  )
}

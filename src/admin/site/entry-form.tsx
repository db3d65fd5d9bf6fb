import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#client/call.ts'
import { newKey } from '#client/idempotency-key.ts'
import * as desk from '#contract/desk.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { Confirm } from '../components/dialog.tsx'
import { LoadFailed } from '../components/load-states.tsx'
import { When } from '../components/when.tsx'
import { ask, sentenceOf } from '../session/session.ts'
import { notify } from '../shell/notices.tsx'
import { collectionsQuery, deskKey, entriesQuery, entryQuery } from './queries.ts'
import { fieldId, type Path, SchemaFields, type SchemaNode, withValue } from './schema-fields.tsx'
import styles from './site.module.css'

/** How long a pause in typing lasts before the draft is stored. */
const PAUSE_MS = 500

interface Props {
  collection: string
  id: string
  title: string
  mayChange: boolean
  /** Tells the preview that the draft is stored. */
  onSaved: () => void
  onRemoved: () => void
}

export function EntryForm({ collection, id, ...rest }: Props) {
  const entry = useQuery(entryQuery(collection, id))
  const list = useQuery(entriesQuery(collection))
  if (entry.error)
    return (
      <LoadFailed
        sentence={sentenceOf(entry.error, 'The text could not be loaded.')}
        retry={entry.refetch}
      />
    )
  if (!entry.data || !list.data) return <p role="status">Loading...</p>
  const schema = list.data.meta.schema as SchemaNode
  return (
    <Form
      key={`${collection}/${id}`}
      {...{ collection, id, schema, entry: entry.data }}
      {...rest}
    />
  )
}

type Saving = { state: 'saved' | 'waiting' | 'failed'; at?: string; problem?: string }

function Form({
  collection,
  id,
  title,
  schema,
  entry,
  mayChange,
  onSaved,
  onRemoved,
}: Props & { schema: SchemaNode; entry: desk.Draft }) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(entry)
  const [value, setValue] = useState<unknown>(entry.value ?? entry.published)
  const [saving, setSaving] = useState<Saving>({ state: 'saved' })
  const [theirs, setTheirs] = useState<desk.Draft>()
  const [asks, setAsks] = useState(false)
  const waiting = useRef<{ value: unknown; timer: ReturnType<typeof setTimeout> } | null>(null)
  const stored = useRef(entry)
  const running = useRef(Promise.resolve())

  const take = (saved: desk.Draft) => {
    stored.current = saved
    setDraft(saved)
    client.setQueryData(entryQuery(collection, id).queryKey, saved)
    for (const { queryKey } of [collectionsQuery, entriesQuery(collection)])
      void client.invalidateQueries({ queryKey })
    void client.invalidateQueries({ queryKey: [...deskKey, 'changes'] })
    onSaved()
  }
  const save = (next: unknown, version: number | undefined = stored.current.version) => {
    running.current = running.current.then(async () => {
      try {
        const input = { params: { collection, id }, body: { value: next, version } }
        const { data } = await ask(desk.writeDraft, input)
        take(data)
        setTheirs(undefined)
        if (!waiting.current) setSaving({ state: 'saved', at: new Date().toISOString() })
      } catch (error) {
        if (error instanceof ApiError && error.code === 'conflict') {
          stored.current = error.data as desk.Draft
          setTheirs(error.data as desk.Draft)
        }
        setSaving({
          state: 'failed',
          problem: sentenceOf(error, 'The draft was not stored. Check your connection.'),
        })
      }
    })
  }
  const flush = () => {
    if (!waiting.current) return
    clearTimeout(waiting.current.timer)
    const { value: next } = waiting.current
    waiting.current = null
    save(next, stored.current.version)
  }
  const flushLatest = useRef(flush)
  flushLatest.current = flush
  useEffect(() => () => flushLatest.current(), [])

  const set = (next: unknown) => {
    setValue(next)
    setSaving({ state: 'waiting' })
    if (waiting.current) clearTimeout(waiting.current.timer)
    waiting.current = { value: next, timer: setTimeout(() => flushLatest.current(), PAUSE_MS) }
  }
  const act = async (work: () => Promise<unknown>, failed: string) => {
    try {
      await work()
    } catch (error) {
      notify({ text: sentenceOf(error, failed) })
    }
  }
  const discard = () =>
    act(async () => {
      const { data } = await ask(
        desk.discardDraft,
        { params: { collection, id } },
        { idempotencyKey: newKey() },
      )
      if (data.published === null) return onRemoved()
      take(data)
      setValue(data.value)
      setSaving({ state: 'saved' })
    }, 'The draft was not discarded.')
  const remove = () =>
    act(async () => {
      await ask(desk.removeEntry, { params: { collection, id } })
      await client.invalidateQueries({ queryKey: deskKey })
      onRemoved()
    }, 'The entry was not removed.')

  const single = collection === id
  if (draft.state === 'removed')
    return (
      <section aria-labelledby="entry-title">
        <h2 id="entry-title">{title}</h2>
        <p className={styles.soft}>The next release leaves this out.</p>
        {mayChange && <Button onClick={discard}>Keep it</Button>}
      </section>
    )
  const go = (path: Path) => {
    const field = document.getElementById(fieldId(path))
    field?.scrollIntoView({ block: 'center' })
    field?.focus()
  }
  return (
    <section aria-labelledby="entry-title">
      <h2 id="entry-title">{title}</h2>
      <p className={styles.saving} role="status">
        {saving.state === 'waiting' && 'Saving...'}
        {saving.state === 'saved' && saving.at && (
          <>
            Saved as a draft <When at={saving.at} />
          </>
        )}
        {saving.state === 'failed' && <b>{saving.problem}</b>}
      </p>
      {!mayChange && <p className={styles.soft}>Only a superuser changes this.</p>}
      {theirs && (
        <div className={styles.conflict} role="alert">
          <p>Somebody else has changed this text meanwhile.</p>
          <Button onClick={() => save(value, theirs.version)}>Keep mine</Button>
          <Button
            look="line"
            onClick={() => {
              take(theirs)
              setValue(theirs.value)
              setTheirs(undefined)
              setSaving({ state: 'saved' })
            }}
          >
            Take theirs
          </Button>
        </div>
      )}
      {draft.problems.length > 0 && (
        <div className={styles.problems}>
          <h3>
            {draft.problems.length} {draft.problems.length === 1 ? 'problem' : 'problems'}: the
            draft is stored, publishing waits
          </h3>
          <ul>
            {draft.problems.map(({ path, message }) => (
              <li key={[...path, message].join('.')}>
                <LinkButton onClick={() => go(path)}>
                  {path.join(', ') || title}: {message}
                </LinkButton>
              </li>
            ))}
          </ul>
        </div>
      )}
      <SchemaFields
        node={schema}
        value={value}
        path={[]}
        form={{
          published: draft.published,
          problems: draft.problems,
          mayChange,
          change: (path, to) => set(withValue(value, path, to)),
        }}
      />
      {mayChange && (
        <p className={styles.entryActions}>
          {draft.state !== 'same' && (
            <LinkButton onClick={discard}>
              {draft.state === 'new' ? 'Discard this entry' : 'Return to what is published'}
            </LinkButton>
          )}
          {!single && draft.state !== 'new' && (
            <LinkButton onClick={() => setAsks(true)}>Remove this entry</LinkButton>
          )}
        </p>
      )}
      {asks && (
        <Confirm
          title="Remove this entry?"
          question={`The next release leaves “${title}” out. Until then you can keep it.`}
          action="Remove"
          onConfirm={remove}
          onClose={() => setAsks(false)}
        />
      )}
    </section>
  )
}

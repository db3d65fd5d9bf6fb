import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import * as desk from '#contract/content/desk.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { Confirm } from '../components/dialog.tsx'
import { useFocusAt } from '../components/form.tsx'
import { Icon } from '../components/icon.tsx'
import { LoadState } from '../components/load-states.tsx'
import { When } from '../components/when.tsx'
import { counted } from '../format/count.ts'
import { Link } from '../router/link.tsx'
import { navigate } from '../router/location.ts'
import { useProfile } from '../session/profile.ts'
import { queryClient } from '../session/query-client.ts'
import { ask, sentenceOf } from '../session/session.ts'
import { notify, useAction } from '../shell/notices.tsx'
import { labelAt } from './field-name.ts'
import { at, isSame } from './merge.ts'
import {
  changesQuery,
  deskKey,
  entriesQuery,
  entryQuery,
  renewLists,
  superusersOnly,
  urlFor,
} from './queries.ts'
import { Differing, fieldId, type Path, SchemaFields, type SchemaNode } from './schema-fields.tsx'
import styles from './site.module.css'
import { useDraft } from './use-draft.ts'

interface Props {
  collection: string
  id: string
  mayChange: boolean
  /** The field to go to, as `label.0.text`. */
  field: string | undefined
  /** It was just added: its heading takes the focus. A field that is left empty would count as touched. */
  isAdded: boolean
  /** Tells the preview that the draft is stored. */
  onSaved: () => void
  onRemoved: () => void
}

interface EntryFormProps extends Props {
  /** The collection has no other entry: its label is the title. */
  single: boolean
  label: string
}

export function EntryForm({ single, label, ...props }: EntryFormProps) {
  const { collection, id } = props
  const entry = useQuery(entryQuery(collection, id))
  const list = useQuery(entriesQuery(collection))
  if (entry.error) return <LoadState query={entry} failed="The text could not be loaded." />
  if (!entry.data || !list.data) return <p role="status">Loading...</p>
  const title = single ? label : list.data.data.find((row) => row.id === id)?.title
  return (
    <Form
      key={`${collection}/${id}`}
      {...props}
      title={title ?? id}
      schema={list.data.meta.schema as SchemaNode}
      entry={entry.data}
    />
  )
}

/** Focuses the field, or the nearest part around it. */
export const goTo = (path: Path): void => {
  const field = document.getElementById(fieldId(path))
  if (!field) {
    if (path.length > 0) goTo(path.slice(0, -1))
    return
  }
  field.focus()
  field.scrollIntoView({ block: 'center' })
}

function Form({
  collection,
  id,
  title,
  schema,
  entry,
  mayChange,
  field,
  isAdded,
  onSaved,
  onRemoved,
}: Props & { title: string; schema: SchemaNode; entry: desk.Draft }) {
  const { draft, value, saving, clashes, change, settle, retry, undo, redo, ...actions } = useDraft(
    collection,
    id,
    entry,
    onSaved,
  )
  const changes = useQuery(changesQuery)
  const [users, setUsers] = useState<desk.Draft['usedBy']>()
  const [touched, setTouched] = useState<readonly string[]>([])
  useEffect(() => {
    if (field) goTo(field.split('.'))
  }, [field])
  const heading = useFocusAt<HTMLHeadingElement>(isAdded)

  const leave = async () => {
    onRemoved()
    await renewLists()
  }
  const discard = async () => {
    if (!(await actions.discard())) await leave()
  }
  const params = { collection, id }
  const sayFailed = (error: unknown) =>
    notify({ text: sentenceOf(error, 'The entry was not removed.') })
  const remove = () => ask(desk.removeEntry, { params }).then(leave).catch(sayFailed)
  const askRemoval = () =>
    ask(desk.readEntry, { params })
      .then(({ data }) => setUsers(data.usedBy))
      .catch(sayFailed)
  const step = (go: (() => Path | undefined) | undefined) => {
    const path = go?.()
    if (path) goTo(path)
  }
  const undoByKey = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const key = event.key.toLowerCase()
    if (key !== 'z' && key !== 'y') return
    event.preventDefault()
    step(key === 'y' || event.shiftKey ? redo : undo)
  }

  const single = collection === id
  if (draft.state === 'removed')
    return (
      <section aria-labelledby="entry-title">
        <h2 id="entry-title">{title}</h2>
        <p className="secondary">The next release leaves this out.</p>
        {mayChange && <Button onClick={discard}>Keep it</Button>}
      </section>
    )
  const { published, state } = draft
  // An empty field of a new entry is no mistake yet.
  const listed = draft.problems.filter(
    ({ path }) =>
      state !== 'new' || field || touched.some((id) => `${fieldId(path)}.`.startsWith(`${id}.`)),
  )
  const untouched = draft.problems.length - listed.length
  // A field that has changed since is judged when it is stored. The list stays until then: it moves the fields.
  const problems = listed.filter(({ path }) =>
    isSame(at(value, path), at(draft.value ?? published, path)),
  )
  const changed = changes.data?.data.find((one) => one.collection === collection && one.id === id)
  return (
    <section
      aria-labelledby="entry-title"
      onKeyDown={undoByKey}
      onBlur={({ target: { id } }) => {
        if (id.startsWith(fieldId([])) && !touched.includes(id)) setTouched([...touched, id])
      }}
    >
      <h2 id="entry-title" tabIndex={-1} ref={heading}>
        {title}
      </h2>
      <div className={styles.saving}>
        <span role="status">
          {saving.state === 'waiting' && 'Saving...'}
          {saving.state === 'saved' && saving.at && (
            <>
              Saved as a draft <When at={saving.at} />
            </>
          )}
          {saving.state === 'failed' && <b className="bad">{saving.problem}</b>}
        </span>
        {saving.state === 'failed' && clashes.length === 0 && (
          <LinkButton onClick={retry}>Save again</LinkButton>
        )}
        {changed && state === 'changed' && (
          <span className="wide-only">{counted(changed.fields.length, 'changed field')}</span>
        )}
        {untouched > 0 && <span>{untouched} still to fill in</span>}
        {listed.length > 0 && <span className="bad">{counted(listed.length, 'problem')}</span>}
        {mayChange && (
          <span className={styles.steps}>
            <LinkButton disabled={!undo} onClick={() => step(undo)}>
              Undo
            </LinkButton>
            <LinkButton disabled={!redo} onClick={() => step(redo)}>
              Redo
            </LinkButton>
          </span>
        )}
      </div>
      {!mayChange && <p className="secondary">{superusersOnly}</p>}
      {collection === 'positions' && <Opening id={id} mayChange={mayChange} />}
      {clashes.length > 0 && <Clashes {...{ collection, id, schema, clashes, settle }} />}
      {listed.length > 0 && (
        <div className={styles.problems}>
          <h3>
            {listed.length === 1 ? 'One thing' : `${listed.length} things`} to put right before you
            publish
          </h3>
          <ul>
            {listed.map(({ path, message }) => (
              <li key={[...path, message].join('.')}>
                <LinkButton onClick={() => goTo(path)}>
                  {labelAt(schema, path) || title}: {message}
                </LinkButton>
              </li>
            ))}
          </ul>
        </div>
      )}
      {mayChange && (value as { sample?: unknown }).sample === true && (
        <p className="secondary">
          Visitors read that this is a sample text.{' '}
          <LinkButton onClick={() => change(['sample'], undefined)}>It is ours now</LinkButton>
        </p>
      )}
      <SchemaFields
        node={schema}
        value={value}
        path={[]}
        form={{ published, problems, mayChange, change }}
      />
      {mayChange && (
        <p className={styles.entryActions}>
          {state !== 'same' && (
            <LinkButton onClick={discard}>
              {state === 'new' ? 'Discard this entry' : 'Return to what is published'}
            </LinkButton>
          )}
          {!single && state !== 'new' && (
            <LinkButton onClick={askRemoval}>Remove this entry</LinkButton>
          )}
        </p>
      )}
      {users && (
        <Confirm
          title="Remove this entry?"
          question={`The next release leaves “${title}” out. Until then you can keep it.`}
          note={
            users.length > 0
              ? `${counted(users.length, 'other text')} ${users.length === 1 ? 'uses' : 'use'} it: ${users.map((one) => `“${one.title}” in ${one.label}`).join(', ')}. Change what cannot do without it before you publish.`
              : undefined
          }
          action="Remove"
          onConfirm={remove}
          onClose={() => setUsers(undefined)}
        />
      )}
    </section>
  )
}

/** Says whether a position takes applications, and leads to the dates of that. */
function Opening({ id, mayChange }: Pick<Props, 'id' | 'mayChange'>) {
  const { data } = useQuery(entriesQuery('openings'))
  const opening = data?.data.find((row) => row.id === id && row.state !== 'removed')
  const { mutate: add } = useAction(async () => {
    const body = { id, value: { open: false } }
    await ask(desk.addEntry, { params: { collection: 'openings' }, body })
    await queryClient.invalidateQueries({ queryKey: deskKey })
    await navigate(urlFor('openings', id))
  }, 'The opening was not added. Please try again.')
  if (!data) return null
  return (
    <p className="secondary">
      <b>{opening?.note ?? 'Closed'}</b>{' '}
      {opening && <Link {...urlFor('openings', id)}>Change when it is open</Link>}
      {!opening && mayChange && <LinkButton onClick={() => add()}>Open it</LinkButton>}
    </p>
  )
}

/** Fields that somebody else has changed, too: both texts, and a choice. */
function Clashes({
  collection,
  id,
  schema,
  clashes,
  settle,
}: Pick<Props, 'collection' | 'id'> &
  Pick<ReturnType<typeof useDraft>, 'clashes' | 'settle'> & { schema: SchemaNode }) {
  const { data } = useQuery(entriesQuery(collection))
  const by = data?.data.find((row) => row.id === id)?.updatedBy ?? 'Somebody else'
  const isOwn = useProfile().username === by
  return (
    <div className={styles.problems} role="alert">
      <h3>
        <Icon name="warn" /> {isOwn ? 'Another tab of yours' : by} changed the same{' '}
        {clashes.length === 1 ? 'field' : 'fields'}. Yours is kept here until you choose.
      </h3>
      {clashes.map(({ path, mine, theirs }) => (
        <div key={path.join('.')} className={styles.sides}>
          <b>{labelAt(schema, path)}</b>
          <p>
            <span>Yours</span> <Differing value={mine} other={theirs} />
          </p>
          <p>
            <span>{isOwn ? 'The other' : `${by}’s`}</span> <Differing value={theirs} other={mine} />
          </p>
        </div>
      ))}
      <p className={styles.entryActions}>
        <Button onClick={() => settle('mine')}>Keep mine</Button>
        <Button look="line" onClick={() => settle('theirs')}>
          Take {isOwn ? 'the other' : `${by}’s`}
        </Button>
      </p>
      <p className="secondary">Your changes of other fields are saved with either.</p>
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ownersOnly } from '#contract/content/desk.ts'
import { Button } from '../components/button.tsx'
import { Empty } from '../components/empty.tsx'
import { LoadState } from '../components/load-states.tsx'
import { Segments } from '../components/segments.tsx'
import { counted } from '../format/count.ts'
import { Link } from '../router/link.tsx'
import { navigate, parametersOf, useLocation } from '../router/location.ts'
import { useMay } from '../session/profile.ts'
import { CollectionList } from './collections.tsx'
import { EntryForm, goTo } from './entry-form.tsx'
import { History } from './history.tsx'
import { Preview } from './preview.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import {
  changesQuery,
  collectionsQuery,
  entriesQuery,
  isUnderWay,
  pageOf,
  releasesQuery,
  urlFor,
} from './queries.ts'
import styles from './site.module.css'

const panes = [
  ['list', 'List'],
  ['edit', 'Edit'],
  ['preview', 'Preview'],
] as const

export function Site() {
  const mayPublish = useMay('content.publish')
  const isOwner = useMay('content.own')
  const { collection, entry, view, field } = useLocation(({ search }) => parametersOf(search))
  const query = useQuery(collectionsQuery)
  const { data } = query
  const { data: changes } = useQuery(changesQuery)
  const { data: releases } = useQuery(releasesQuery)
  const [publishes, setPublishes] = useState(false)
  const [edition, setEdition] = useState(0)
  const [focused, setFocused] = useState('')
  const [added, setAdded] = useState<string>()
  const [pane, setPane] = useState<(typeof panes)[number][0]>('list')

  const chosen = data?.data.find((one) => one.collection === collection)
  const id = chosen?.single ? chosen.collection : entry
  // On a phone an entry that is opened is edited.
  useEffect(() => {
    setPane(id ? 'edit' : 'list')
    setFocused('')
  }, [id])

  if (!data)
    return (
      <>
        <h1>Site</h1>
        <LoadState query={query} failed="The texts could not be loaded." />
      </>
    )
  const { data: collections, meta } = data
  const mayChange = (name: string) => isOwner || !ownersOnly.includes(name)
  const problemsOf = (isNew: boolean) =>
    (changes?.data ?? []).reduce(
      (sum, one) => sum + ((one.state === 'new') === isNew ? one.problems.length : 0),
      0,
    )
  const toFillIn = problemsOf(true)
  const problems = problemsOf(false) + (changes?.meta.problems.length ?? 0)
  const underWay = releases?.find(isUnderWay)
  const open = (name: string, to?: string, path?: string) => {
    setPublishes(false)
    setPane('edit')
    if (name === collection && to === id && path) setTimeout(() => goTo(path.split('.')))
    else void navigate(urlFor(name, to, path))
  }
  const hasEntry = chosen && id && view !== 'history'
  return (
    <>
      <header className={styles.head}>
        <h1>Site</h1>
        <p>
          {meta.changed === 0 ? 'Nothing to publish' : <b>{counted(meta.changed, 'change')}</b>}
          {toFillIn > 0 && `, ${toFillIn} to fill in`}
          {problems > 0 && <span className="bad">, {counted(problems, 'problem')}</span>}
        </p>
        {mayPublish && (
          <Button
            disabled={(meta.changed === 0 && !underWay) || !meta.canPublish}
            onClick={() => setPublishes(true)}
          >
            {underWay ? 'Publishing…' : 'Publish…'}
          </Button>
        )}
        <Link to="/admin/site" search={{ view: 'history' }}>
          History
        </Link>
      </header>
      {mayPublish && !meta.canPublish && (
        <p className="secondary">
          This build cannot draw the site. Build it again, then publish. Drafts are kept.
        </p>
      )}
      {!mayPublish && <p className="secondary">You write drafts. An admin publishes them.</p>}
      {hasEntry && (
        <Segments
          className={styles.panes}
          legend="Part of the screen"
          options={panes}
          value={pane}
          onChange={setPane}
        />
      )}
      <div className={styles.desk} data-pane={hasEntry ? pane : view ? 'edit' : 'list'}>
        <CollectionList
          all={collections}
          {...{ collection, id, mayChange }}
          isShown={pane === 'list'}
          onAdded={(name, to) => {
            setAdded(to)
            open(name, to)
          }}
        />
        <section
          className={styles.form}
          aria-label="Form"
          onFocus={({ target }) =>
            target.id.startsWith('field-') && setFocused(target.id.slice('field-'.length))
          }
        >
          {view === 'history' && <History mayPublish={mayPublish && meta.canPublish} />}
          {view !== 'history' && !chosen && <Start {...{ mayPublish, isOwner }} />}
          {chosen && !id && view !== 'history' && (
            <Chosen collection={chosen.collection} label={chosen.label} />
          )}
          {hasEntry && (
            <EntryForm
              collection={chosen.collection}
              id={id}
              field={field}
              isAdded={id === added}
              single={chosen.single}
              label={chosen.label}
              mayChange={mayChange(chosen.collection)}
              onSaved={() => setEdition((before) => before + 1)}
              onRemoved={() => open(chosen.collection)}
            />
          )}
        </section>
        {hasEntry && (
          <Preview
            path={pageOf(chosen.collection, id, focused.split('.')[0])}
            entry={`${chosen.collection}/${id}`}
            focused={focused}
            edition={edition}
            isOpen={pane === 'preview'}
            onOpen={open}
          />
        )}
      </div>
      {publishes && (
        <PublishDialog
          release={meta.release}
          begun={underWay?.n}
          isOwner={isOwner}
          onClose={() => setPublishes(false)}
          onOpen={open}
        />
      )}
    </>
  )
}

const Start = ({ mayPublish, isOwner }: { mayPublish: boolean; isOwner: boolean }) => (
  <section aria-labelledby="start-title">
    <h2 id="start-title">Change what the site says, without a developer</h2>
    <p>
      Choose a kind of text. You edit a draft, see the real page beside it, and publish when it is
      right. Visitors see nothing before that, and every earlier state can be brought back.
    </p>
    <ul className={styles.start}>
      {(
        [
          ['brand', 'Brand and contact', 'Name, colour, address, phone and e-mail of the firm.'],
          ['consultation-services', 'Prices', 'What can be booked, and what it costs.'],
          ['testimonials', 'Quotes', 'Only of people who agreed to be quoted.'],
        ] as const
      ).map(([name, label, text]) => (
        <li key={name}>
          <Link {...urlFor(name)}>{label}</Link>
          <p className="secondary">{text}</p>
        </li>
      ))}
    </ul>
    <p className="secondary">
      Editors write drafts, admins publish. Legal pages, brand and contact are published by
      superusers.{' '}
      {isOwner ? 'You are one.' : mayPublish ? 'You are an admin.' : 'You are an editor.'}
    </p>
  </section>
)

/** A collection of which no entry is open. */
function Chosen({ collection, label }: { collection: string; label: string }) {
  const { data } = useQuery(entriesQuery(collection))
  if (data?.data.length === 0)
    return (
      <Empty text="No entries yet">
        Until there is an entry, the section is left out of the site. Add one in the list.
      </Empty>
    )
  return (
    <>
      <h2>{label}</h2>
      <p>Choose an entry in the list, or add one.</p>
    </>
  )
}

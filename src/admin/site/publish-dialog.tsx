import { useMutation, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '#client/call.ts'
import * as desk from '#contract/content/desk.ts'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { focusMain } from '../browser/focus-main.ts'
import { Button, Close, LinkButton } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { counted } from '../format/count.ts'
import { queryClient } from '../session/query-client.ts'
import { ask, sentenceOf } from '../session/session.ts'
import { labelAt, useCollectionLabel, useFieldName } from './field-name.ts'
import {
  changedPages,
  changesQuery,
  deskKey,
  entriesQuery,
  entryQuery,
  pageOf,
  releasesQuery,
} from './queries.ts'
import { Differing, type SchemaNode } from './schema-fields.tsx'
import styles from './site.module.css'

type Open = (collection: string, id?: string, field?: string) => void

const keyOf = ({ collection, id }: { collection: string | null; id: string | null }) =>
  `${collection}/${id}`

interface Props {
  /** The release that is live as this is opened. */
  release: number
  /** The release under way, where this dialog shows that one. */
  begun?: number | undefined
  /** True if brand and legal pages are published, too. */
  isOwner: boolean
  onClose: () => void
  onOpen: Open
}

/** The changes of the next release, and the release itself until it is live. */
export function PublishDialog({ release, begun: under, isOwner, onClose, onOpen }: Props) {
  const [left, setLeft] = useState<readonly string[]>([])
  const [begun, setBegun] = useState(under)
  const { data: { data: changes, meta } = none } = useQuery(changesQuery)
  const [note, setNote] = useState('')
  const publish = useMutation({
    mutationFn: async (chosen: readonly desk.Change[]) => {
      const entries = chosen.map(({ collection, id }) => ({ collection, id }))
      const body = { release, note: note.trim() || null, entries }
      const { data } = await ask(desk.publish, { body })
      await queryClient.invalidateQueries({ queryKey: releasesQuery.queryKey })
      setBegun(data.n)
    },
    // Another release is live, or under way: what this list says is renewed.
    onError: () => void queryClient.invalidateQueries({ queryKey: deskKey }),
  })
  const { error: problem } = publish
  const labelOf = useCollectionLabel()
  const titleOfPage = usePageTitles()
  if (begun !== undefined)
    return (
      <Progress
        n={begun}
        onClose={() => {
          void queryClient.invalidateQueries({ queryKey: deskKey })
          flushSync(onClose)
          // The button that opened this is disabled once nothing is left to publish.
          focusMain()
        }}
        onOpen={onOpen}
        onRest={async (problems) => {
          setLeft([...left, ...problems.map(keyOf)])
          setNote('')
          await queryClient.invalidateQueries({ queryKey: deskKey })
          setBegun(undefined)
        }}
      />
    )
  const isMine = ({ collection }: desk.Change) => isOwner || !desk.ownersOnly.includes(collection)
  const chosen = changes.filter((change) => isMine(change) && !left.includes(keyOf(change)))
  // The server tells what a part of the changes breaks once it is sent.
  const waiting = [
    ...chosen.flatMap(({ collection, id, problems }) =>
      problems.map((one) => ({ collection, id, ...one })),
    ),
    ...(chosen.length === changes.length ? meta.problems : []),
  ]
  const refused =
    problem instanceof ApiError
      ? (problem.data as { problems?: desk.EntryProblem[] } | undefined)?.problems
      : undefined
  const unfinished = (refused ?? waiting).map(keyOf)
  const finished = chosen.filter((change) => !unfinished.includes(keyOf(change)))

  const title = `Publish ${counted(chosen.length, 'change')}`
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <div className={styles.note}>
            <Field
              id="publish-note"
              label="Note for the history"
              optional
              maxLength={limits.note}
              placeholder="For example: two more weeks to apply"
              value={note}
              onChange={({ currentTarget }) => setNote(currentTarget.value)}
            />
          </div>
          <Close onClick={onClose}>Not yet</Close>
          <Button
            disabled={chosen.length === 0 || waiting.length > 0 || publish.isPending}
            onClick={() => publish.mutate(chosen)}
          >
            {title}
          </Button>
        </>
      }
    >
      {problem && (
        <div role="alert" className={styles.problems}>
          <h3>{sentenceOf(problem, 'It was not published. Please try again.')}</h3>
        </div>
      )}
      <Problems problems={refused ?? waiting} onOpen={onOpen} />
      {finished.length > 0 && finished.length < chosen.length && (
        <Button
          look="line"
          onClick={() => {
            publish.reset()
            setLeft([...left, ...unfinished])
          }}
        >
          Leave out what is unfinished
        </Button>
      )}
      <ul className={styles.changes}>
        {changes.map((change) => {
          const path = pageOf(change.collection, change.id, String(change.fields[0]?.path[0] ?? ''))
          const named = titleOfPage(path)
          const page =
            path === '/'
              ? 'the home page'
              : path.endsWith(`/${change.id}`)
                ? 'its own page'
                : named
                  ? `the page “${named}”`
                  : path
          return (
            <li key={keyOf(change)}>
              <label className={styles.check}>
                <input
                  type="checkbox"
                  disabled={!isMine(change)}
                  checked={chosen.includes(change)}
                  onChange={({ currentTarget }) =>
                    setLeft(
                      currentTarget.checked
                        ? left.filter((key) => key !== keyOf(change))
                        : [...left, keyOf(change)],
                    )
                  }
                />{' '}
                <span>
                  <b>{change.title}</b> in {labelOf(change.collection)}
                  {change.state !== 'changed' && `, ${change.state}`}
                </span>
              </label>
              <FieldChanges {...change} />
              <p className="secondary">
                {!isMine(change)
                  ? 'A superuser publishes this.'
                  : change.state === 'removed'
                    ? `No longer on ${page}, nor anywhere else on the site.`
                    : `Shown on ${page} and wherever else the site says it. ${effects[change.collection] ?? ''}`}
              </p>
            </li>
          )
        })}
      </ul>
      <p className="secondary">
        Links, titles, headings and pictures are checked first. If a check fails, the site stays as
        it is.
      </p>
      <dl className={styles.who}>
        <div>
          <dt>Who may publish</dt>
          <dd>Admins. Editors write drafts.</dd>
        </div>
        <div>
          <dt>Brand and legal pages</dt>
          <dd>Superusers only.</dd>
        </div>
      </dl>
    </Dialog>
  )
}

const none = { data: [], meta: { problems: [] } }

/** Effects of a collection beyond its page. */
const effects: Record<string, string> = {
  openings: 'The form follows at the same moment.',
  positions: 'The form follows at the same moment.',
  'consultation-services': 'Requests from then on keep the new price.',
  hiring: 'Scores from then on follow it.',
}

/** Each step of a release: its key, and its words once it is done and while it runs. */
const steps = [
  ['stored', 'Changes stored', 'Storing the changes'],
  ['drawing', 'Pages drawn', 'Drawing the pages'],
  [
    'checking',
    'Links, titles, headings and pictures checked',
    'Checking links, titles, headings and pictures',
  ],
  ['live', 'Live', 'Going live'],
] as const

/** Collections of which each entry has a page. */
const paged = ['service-pages', 'work', 'positions', 'blog', 'legal']

/** The title of a page by its address, where the desk knows it. */
const usePageTitles = () => {
  const lists = useQueries({ queries: paged.map(entriesQuery) })
  const { data: headings } = useQuery(entryQuery('pages', 'pages'))
  const known = new Map<string, unknown>()
  for (const [part, { title }] of Object.entries(
    (headings?.value ?? {}) as Record<string, { title?: unknown }>,
  ))
    known.set(pageOf('pages', 'pages', part), title)
  lists.forEach(({ data }, index) => {
    for (const { id, title } of data?.data ?? []) known.set(pageOf(paged[index] ?? '', id), title)
  })
  known.set('/', 'Home page')
  return (page: string): string | undefined => {
    const title = known.get(page)
    return typeof title === 'string' && !title.includes('{') ? title : undefined
  }
}

interface ProgressProps {
  n: number
  onClose: () => void
  onOpen: Open
  onRest: (problems: readonly desk.EntryProblem[]) => void
}

/** A release until it is live or has failed; it goes on when this is closed. */
function Progress({ n, onClose, onOpen, onRest }: ProgressProps) {
  const { data: releases } = useQuery(releasesQuery)
  const release = releases?.find((one) => one.n === n)
  const { state = 'drawing', problems = [], changes = [], notices = [] } = release ?? {}
  const pages = release ? changedPages(release) : []
  const titleOfPage = usePageTitles()
  const begun = (step: string) => release?.steps.find((one) => one.step === step)?.at
  const live = begun('live')
  // A step has ended when the next one begins.
  const ended = [release?.at, begun('checking'), live, live]
  const now = ended.indexOf(undefined)
  const faulty = new Set(problems.map(keyOf))
  const rest = changes.filter((change) => !faulty.has(keyOf(change)))
  const first = problems.find(({ collection, id }) => collection && id)
  const title =
    state === 'live'
      ? `${counted(changes.length, 'change')} ${changes.length === 1 ? 'is' : 'are'} live`
      : state === 'failed'
        ? 'Not published'
        : `Publishing ${counted(changes.length, 'change')}`
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        state === 'failed' ? (
          <>
            {rest.length > 0 && first && (
              <Button look="line" onClick={() => onRest(problems)}>
                Publish the other {rest.length}
              </Button>
            )}
            <Button
              onClick={() => {
                onClose()
                if (first) onOpen(first.collection ?? '', first.id ?? '', first.path.join('.'))
              }}
            >
              {first ? 'Put it right' : 'Close'}
            </Button>
          </>
        ) : (
          <>
            {state !== 'live' && (
              <p className="secondary">You can close this. It goes on, and History shows it.</p>
            )}
            <Button onClick={onClose}>{state === 'live' ? 'Done' : 'Close'}</Button>
          </>
        )
      }
    >
      <p className="secondary" role="status">
        {state === 'live' && release?.liveAt
          ? `${counted(pages.length, 'page')} changed. It took ${tookOf(release.at, release.liveAt)}.`
          : state === 'failed'
            ? 'The site is unchanged. All drafts are kept.'
            : 'Visitors see what was published before until this is live.'}
      </p>
      <ol className={styles.track}>
        {steps.map(([step, done, doing], index) => {
          const at = ended[index]
          const words = at ? done : doing
          const isNow = index === now
          const look = at ? 'done' : isNow ? (state === 'failed' ? 'failed' : 'now') : 'next'
          return (
            <li key={step} data-look={look} aria-current={isNow ? 'step' : undefined}>
              {isNow && state === 'failed' ? `${words}: failed` : words}
              {step === 'stored' && at ? `, number ${n}` : ''}
              {at && <time dateTime={at}>{new Date(at).toLocaleTimeString('en-GB')}</time>}
            </li>
          )
        })}
      </ol>
      {state === 'live' && (
        <ul className={styles.pages}>
          {pages.map((page) => (
            <li key={page}>
              <a href={page} target="_blank" rel="noreferrer">
                {titleOfPage(page) ?? page}
              </a>{' '}
              {page !== '/' && titleOfPage(page) && <span className="secondary">{page}</span>}
            </li>
          ))}
        </ul>
      )}
      {notices.map((notice) => (
        <p key={notice} className={styles.notice}>
          {notice}
        </p>
      ))}
      <Problems
        problems={problems}
        onOpen={(...place) => {
          onClose()
          onOpen(...place)
        }}
      />
    </Dialog>
  )
}

const tookOf = (from: string, to: string): string =>
  counted(Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 1_000)), 'second')

/** The fields of a change from and to; none of an entry that comes or goes as a whole. */
export const FieldChanges = ({ collection, fields, state }: desk.Release['changes'][number]) => {
  const { data } = useQuery(entriesQuery(collection))
  if (state === 'removed' || state === 'new') return null
  const schema = data?.meta.schema as SchemaNode | undefined
  return (
    <dl className={styles.fromTo}>
      {fields.slice(0, 12).map(({ path, label, from, to }) => (
        <div key={path.join('.')}>
          <dt>{(schema && labelAt(schema, path)) || label}</dt>
          <dd>
            <span>From</span> <Differing value={from ?? off(to)} other={to} />
          </dd>
          <dd>
            <span>To</span> <Differing value={to ?? off(from)} other={from} />
          </dd>
        </div>
      ))}
      {fields.length > 12 && <dt>and {counted(fields.length - 12, 'more field')}</dt>}
    </dl>
  )
}

/** A switch that is left out is off. */
const off = (other: unknown) => (typeof other === 'boolean' ? false : null)

const Problems = ({
  problems,
  onOpen,
}: {
  problems: readonly desk.EntryProblem[]
  onOpen: Open
}) =>
  problems.length === 0 ? null : (
    <ul className={styles.problems}>
      {problems.map((problem) => (
        <li key={[keyOf(problem), ...problem.path, problem.message].join('.')}>
          <Problem {...problem} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  )

function Problem({ collection, id, path, message, onOpen }: desk.EntryProblem & { onOpen: Open }) {
  const { list, title, field } = useFieldName(collection, id ?? '', path)
  if (!collection || !id) return message
  if (id === 'order')
    return (
      <>
        <b>{list}</b>: {message}{' '}
        <LinkButton on={list} onClick={() => onOpen(collection)}>
          Go to the list
        </LinkButton>
      </>
    )
  return (
    <>
      <b>{field ? `${title}, ${field}` : title}</b>: {message}{' '}
      <LinkButton on={`${title} ${field}`} onClick={() => onOpen(collection, id, path.join('.'))}>
        Go to the text
      </LinkButton>
    </>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#client/call.ts'
import { newKey } from '#client/idempotency-key.ts'
import * as desk from '#contract/desk.ts'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { Button, LinkButton } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { When } from '../components/when.tsx'
import { counted } from '../format/count.ts'
import { ask, sentenceOf } from '../session/session.ts'
import { changesQuery, deskKey, releasesQuery } from './queries.ts'
import styles from './site.module.css'

const keyOf = ({ collection, id }: { collection: string; id: string }) => `${collection}/${id}`

/** One line for a value of any kind. */
export const brief = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}

const steps: Record<string, string> = {
  drawing: 'Drawing the pages',
  checking: 'Checking what has changed',
  live: 'Live',
}

/** What the next release changes, and the release itself until it is live. */
export function PublishDialog({
  release,
  onClose,
  onOpen,
}: {
  /** The release that is live as this is opened. */
  release: number
  onClose: () => void
  onOpen: (collection: string, id: string) => void
}) {
  const client = useQueryClient()
  const { data: changes } = useQuery(changesQuery)
  const { data: releases } = useQuery(releasesQuery)
  const [left, setLeft] = useState<readonly string[]>([])
  const [note, setNote] = useState('')
  const [problem, setProblem] = useState<ApiError | string>()
  const [begun, setBegun] = useState<number>()
  const current = releases?.find(({ n }) => n === begun)
  const chosen = changes?.filter((change) => !left.includes(keyOf(change))) ?? []

  const publish = async () => {
    setProblem(undefined)
    try {
      const { data } = await ask(
        desk.publish,
        {
          body: {
            release,
            note: note || null,
            ...(left.length > 0
              ? { entries: chosen.map(({ collection, id }) => ({ collection, id })) }
              : {}),
          },
        },
        { idempotencyKey: newKey() },
      )
      setBegun(data.n)
      await client.invalidateQueries({ queryKey: releasesQuery.queryKey })
    } catch (error) {
      setProblem(error instanceof ApiError ? error : String(error))
    }
  }
  const close = () => {
    void client.invalidateQueries({ queryKey: deskKey })
    onClose()
  }
  if (begun !== undefined)
    return (
      <Dialog
        title={
          current?.state === 'live'
            ? 'Your changes are live'
            : current?.state === 'failed'
              ? 'Not published. The site is unchanged.'
              : 'Publishing'
        }
        onClose={close}
        foot={<Button onClick={close}>Close</Button>}
      >
        <ol className={styles.steps} aria-live="polite">
          {current?.steps.map(({ step, at }) => (
            <li key={step}>
              {steps[step]} <When at={at} />
            </li>
          ))}
        </ol>
        {current?.state === 'live' && <Pages pages={current.pages} />}
        {current?.notices.map((notice) => (
          <p key={notice} className={styles.soft}>
            {notice}
          </p>
        ))}
        <Problems problems={current?.problems ?? []} onOpen={onOpen} />
      </Dialog>
    )
  return (
    <Dialog
      title={`Publish ${counted(chosen.length, 'change')}`}
      onClose={onClose}
      foot={
        <>
          <Button disabled={chosen.length === 0} onClick={publish}>
            Publish {counted(chosen.length, 'change')}
          </Button>
          <Button look="line" onClick={onClose}>
            Not yet
          </Button>
        </>
      }
    >
      {problem && (
        <p role="alert" className={styles.refused}>
          {sentenceOf(problem, 'It was not published.')}
        </p>
      )}
      {problem instanceof ApiError && (
        <Problems
          problems={
            (problem.data as { problems?: desk.EntryProblem[] } | undefined)?.problems ?? []
          }
          onOpen={onOpen}
        />
      )}
      <ul className={styles.changes}>
        {changes?.map((change) => (
          <li key={keyOf(change)}>
            <label>
              <input
                type="checkbox"
                checked={!left.includes(keyOf(change))}
                onChange={({ currentTarget }) =>
                  setLeft(
                    currentTarget.checked
                      ? left.filter((key) => key !== keyOf(change))
                      : [...left, keyOf(change)],
                  )
                }
              />{' '}
              <b>{change.title}</b> in {change.collection}
              {change.state !== 'changed' && `, ${change.state}`}
            </label>
            <FieldChanges fields={change.fields} />
          </li>
        ))}
      </ul>
      <Field
        id="publish-note"
        label="Note for the history"
        optional
        maxLength={limits.note}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <p className={styles.soft}>
        Links, titles, headings and images are checked first. If a check fails, the site stays as it
        is.
      </p>
    </Dialog>
  )
}

export const FieldChanges = ({ fields }: Pick<desk.Change, 'fields'>) => (
  <dl className={styles.fromTo}>
    {fields.slice(0, 12).map(({ path, label, from, to }) => (
      <div key={path.join('.')}>
        <dt>{label}</dt>
        <dd>
          <span>From</span> {brief(from)}
        </dd>
        <dd>
          <span>To</span> <u>{brief(to)}</u>
        </dd>
      </div>
    ))}
    {fields.length > 12 && <dt>and {fields.length - 12} more fields</dt>}
  </dl>
)

const Pages = ({ pages }: { pages: readonly string[] }) =>
  pages.length === 0 ? (
    <p>No page has changed.</p>
  ) : (
    <ul className={styles.pages}>
      {pages.map((page) => (
        <li key={page}>
          <a href={page} target="_blank" rel="noreferrer">
            {page}
          </a>
        </li>
      ))}
    </ul>
  )

const Problems = ({
  problems,
  onOpen,
}: {
  problems: readonly desk.EntryProblem[]
  onOpen: (collection: string, id: string) => void
}) => (
  <ul className={styles.problemList}>
    {problems.map(({ collection, id, path, message }) => (
      <li key={[collection, id, ...path, message].join('.')}>
        {message}{' '}
        {collection && id && (
          <LinkButton on={`${id} ${path.join(' ')}`} onClick={() => onOpen(collection, id)}>
            Go to the text
          </LinkButton>
        )}
      </li>
    ))}
  </ul>
)

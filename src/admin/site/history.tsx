import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import * as desk from '#contract/content/desk.ts'
import { Button, Close, LinkButton } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Empty } from '../components/empty.tsx'
import { LoadState } from '../components/load-states.tsx'
import { When } from '../components/when.tsx'
import { counted } from '../format/count.ts'
import { queryClient } from '../session/query-client.ts'
import { ask } from '../session/session.ts'
import { notify, useAction } from '../shell/notices.tsx'
import { useCollectionLabel } from './field-name.ts'
import { isSame } from './merge.ts'
import { FieldChanges } from './publish-dialog.tsx'
import { changedPages, deskKey, releasesQuery } from './queries.ts'
import styles from './site.module.css'

const stateWords: Record<desk.ReleaseState, string> = {
  drawing: 'being drawn',
  checking: 'being checked',
  live: 'live',
  failed: 'failed, the site was left alone',
  replaced: '',
}

/** "release 3"; 0 is what the site said before the first. */
const nameOf = (n: number) => (n === 0 ? 'the site as it came' : `release ${n}`)

type PastChange = desk.Release['changes'][number]

/** The changes that undo these releases, the newest first. */
const changesBack = (since: readonly desk.Release[]): PastChange[] => {
  const back = new Map<string, PastChange>()
  for (const change of since.flatMap(({ changes }) => changes)) {
    const key = `${change.collection}/${change.id}`
    const known = back.get(key)
    const fields = new Map(known?.fields.map((field) => [field.path.join('.'), field]))
    for (const field of change.fields) {
      const name = field.path.join('.')
      const { from } = fields.get(name) ?? { from: field.to }
      fields.set(name, { ...field, from, to: field.from })
    }
    const differing = [...fields.values()].filter(({ from, to }) => !isSame(from, to))
    const isGone = (known ? known.state === 'new' : change.state === 'removed') && 'new'
    const state = change.state === 'new' ? 'removed' : isGone || 'changed'
    back.set(key, { ...change, state, fields: differing })
  }
  return [...back.values()].filter(({ fields }) => fields.length > 0)
}

export function History({ mayPublish }: { mayPublish: boolean }) {
  const query = useQuery(releasesQuery)
  const { data: releases } = query
  const { mutate: act, isPending } = useAction(async (work: () => Promise<string>) => {
    notify({ text: await work() })
    await queryClient.invalidateQueries({ queryKey: deskKey })
    await queryClient.invalidateQueries({ queryKey: releasesQuery.queryKey })
  }, 'That did not work. Please try again.')
  const wasLive = releases?.filter(({ liveAt }) => liveAt !== null) ?? []
  const before = (release: number) => wasLive.find(({ n }) => n < release)?.n ?? 0
  const bringBack = (
    n: number,
    change?: { collection: string; id: string },
    { isPrevious = false } = {},
  ) =>
    act(async () => {
      const entries = change && [{ collection: change.collection, id: change.id }]
      const { data } = await ask(desk.bringBack, { params: { n: String(n) }, body: { entries } })
      const { length } = data.changed
      if (isPrevious)
        return length === 0 ? 'The site has that text already' : 'The previous text is brought back'
      if (length === 0) return `The site says the same as ${nameOf(n)}`
      return `${counted(length, 'text')} of ${nameOf(n)} ${length === 1 ? 'is' : 'are'} brought back`
    })
  const [asked, setAsked] = useState<number>()
  const show = (n: number) =>
    act(
      async () => {
        await ask(desk.showRelease, { params: { n: String(n) } })
        return `The texts of release ${n} are live again`
      },
      { onSettled: () => setAsked(undefined) },
    )
  if (query.error) return <LoadState query={query} failed="The history could not be loaded." />
  if (releases?.length === 0)
    return <Empty text="Nothing has been published yet">The site shows its first texts.</Empty>
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      <p className="secondary">
        Each time somebody published. Bringing back makes a draft and replaces one that is there:
        nothing goes live until it is published again. Showing a release puts all its texts on the
        site at once.
      </p>
      {asked !== undefined && (
        <Dialog
          title={`Show release ${asked} again?`}
          onClose={() => setAsked(undefined)}
          foot={
            <>
              <Close onClick={() => setAsked(undefined)}>Not yet</Close>
              <Button busy={isPending && 'Showing...'} onClick={() => show(asked)}>
                Show it now
              </Button>
            </>
          }
        >
          <p>Visitors see these texts at once. All drafts are kept.</p>
          <Changes changes={changesBack(wasLive.filter(({ n }) => n > asked))} />
        </Dialog>
      )}
      <ol className={styles.releases}>
        {releases?.map((release, index) => (
          <li key={release.n}>
            <b className={styles.number}>{release.n}</b>
            <div>
              <p>
                <b>
                  {release.shows
                    ? `Release ${release.shows} shown again`
                    : `${counted(release.changes.length, 'change')} on ${counted(changedPages(release).length, 'page')}`}
                </b>{' '}
                {stateWords[release.state] && (
                  <span data-look={release.state} className={styles.state}>
                    {stateWords[release.state]}
                  </span>
                )}
              </p>
              <p className="secondary">
                <When at={release.at} /> by {release.by ?? 'the program'}
                {release.note && <>. “{release.note}”</>}
              </p>
              {release.problems.map(({ message }) => (
                <p key={message} className="bad">
                  {message}
                </p>
              ))}
              {release.changes.length > 0 && (
                <details open={index === 0}>
                  <summary>What changed</summary>
                  <Changes
                    changes={release.changes}
                    action={(change) => {
                      // The live release is what the site says: only what it replaced can come back.
                      const isPrevious = release.state === 'live'
                      const n = isPrevious ? before(release.n) : release.n
                      return (
                        release.liveAt !== null && (
                          <LinkButton
                            on={change.title}
                            busy={isPending}
                            onClick={() => bringBack(n, change, { isPrevious })}
                          >
                            Bring back the {isPrevious ? 'previous text' : `text of ${nameOf(n)}`}
                          </LinkButton>
                        )
                      )
                    }}
                  />
                </details>
              )}
              <p className={styles.entryActions}>
                {release.state === 'replaced' && (
                  <LinkButton busy={isPending} onClick={() => bringBack(release.n)}>
                    Bring back all texts of {nameOf(release.n)}
                  </LinkButton>
                )}
                {mayPublish && release.state === 'replaced' && (
                  <Button look="line" onClick={() => setAsked(release.n)}>
                    Show release {release.n} again
                  </Button>
                )}
              </p>
            </div>
          </li>
        ))}
        <li>
          <b className={styles.number}>0</b>
          <div>
            <p>
              <b>The texts that came with the site</b>
            </p>
            <p className={styles.entryActions}>
              <LinkButton busy={isPending} onClick={() => bringBack(0)}>
                Bring back all texts of {nameOf(0)}
              </LinkButton>
            </p>
          </div>
        </li>
      </ol>
    </section>
  )
}

interface ChangesProps {
  changes: readonly PastChange[]
  action?: (change: PastChange) => ReactNode
}

function Changes({ changes, action }: ChangesProps) {
  const labelOf = useCollectionLabel()
  return changes.map((change) => (
    <div key={`${change.collection}/${change.id}`} className={styles.pastChange}>
      <h3>
        {change.title}{' '}
        <span>
          in {labelOf(change.collection)}
          {change.state !== 'changed' && `, ${change.state}`}
        </span>
      </h3>
      <FieldChanges {...change} />
      {action?.(change)}
    </div>
  ))
}

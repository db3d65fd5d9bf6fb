import { useQuery, useQueryClient } from '@tanstack/react-query'
import { newKey } from '#client/idempotency-key.ts'
import * as desk from '#contract/desk.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { Empty } from '../components/empty.tsx'
import { LoadFailed } from '../components/load-states.tsx'
import { When } from '../components/when.tsx'
import { counted } from '../format/count.ts'
import { ask, sentenceOf } from '../session/session.ts'
import { notify } from '../shell/notices.tsx'
import { FieldChanges } from './publish-dialog.tsx'
import { deskKey, releasesQuery } from './queries.ts'
import styles from './site.module.css'

const stateWords: Record<desk.ReleaseState, string> = {
  drawing: 'being drawn',
  checking: 'being checked',
  live: 'live',
  failed: 'failed, nothing was changed',
  replaced: 'replaced',
}

/** All releases, newest first. */
export function History({ canPublish }: { canPublish: boolean }) {
  const client = useQueryClient()
  const { data: releases, error, refetch } = useQuery(releasesQuery)
  const act = async (work: () => Promise<string>) => {
    try {
      notify({ text: await work() })
      await client.invalidateQueries({ queryKey: deskKey })
      await client.invalidateQueries({ queryKey: releasesQuery.queryKey })
    } catch (problem) {
      notify({ text: sentenceOf(problem, 'That did not work. Please try again.') })
    }
  }
  const bringBack = (n: number) =>
    act(async () => {
      const { data } = await ask(
        desk.bringBack,
        { params: { n: String(n) }, body: {} },
        { idempotencyKey: newKey() },
      )
      return `${counted(data.changed.length, 'text')} of release ${n} ${data.changed.length === 1 ? 'is a draft' : 'are drafts'} now`
    })
  const show = (n: number) =>
    act(async () => {
      await ask(desk.showRelease, { params: { n: String(n) } })
      return `Release ${n} is live again`
    })
  if (error)
    return (
      <LoadFailed
        sentence={sentenceOf(error, 'The history could not be loaded.')}
        retry={refetch}
      />
    )
  if (releases?.length === 0)
    return <Empty text="Nothing has been published yet">The site shows its first texts.</Empty>
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      <p className={styles.soft}>
        Bringing a text back makes a draft: nothing goes live until it is published.
      </p>
      <ol className={styles.releases}>
        {releases?.map((release, index) => (
          <li key={release.n}>
            <details open={index === 0}>
              <summary>
                <b>{release.n}</b>{' '}
                {release.shows
                  ? `Release ${release.shows} shown again`
                  : counted(release.changes.length, 'change')}{' '}
                by {release.by ?? 'the program'}, <When at={release.at} />,{' '}
                {stateWords[release.state]}
                {release.note && <>: “{release.note}”</>}
              </summary>
              {release.changes.map((change) => (
                <div key={`${change.collection}/${change.id}`}>
                  <h3>
                    {change.title} in {change.collection}
                  </h3>
                  <FieldChanges fields={change.fields} />
                </div>
              ))}
              {release.problems.map(({ message }) => (
                <p key={message}>{message}</p>
              ))}
              <p className={styles.entryActions}>
                {release.state !== 'failed' && (
                  <LinkButton on={`of release ${release.n}`} onClick={() => bringBack(release.n)}>
                    Bring back as drafts
                  </LinkButton>
                )}
                {canPublish && release.state === 'replaced' && (
                  <Button look="line" onClick={() => show(release.n)}>
                    Show release {release.n} again
                  </Button>
                )}
              </p>
            </details>
          </li>
        ))}
      </ol>
    </section>
  )
}

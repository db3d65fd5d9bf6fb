import type { Criterion } from '#contract/positions.ts'
import { Button } from '../../components/button.tsx'
import { useProfile } from '../../session/profile.ts'
import { initialsOf } from '../clock/due-label.ts'
import type { ApplicationDetail } from '../record.ts'
import styles from './hiring.module.css'
import { type Given, givenTo, widestGaps } from './scores.ts'

/** `you and 2 others` */
const givers = (others: number): string => {
  if (others === 0) return 'yours alone so far'
  return `you and ${others} ${others === 1 ? 'other' : 'others'}`
}

/** `Learns and Shows work` */
const named = (criteria: readonly Criterion[]): string =>
  new Intl.ListFormat('en').format(criteria.map(({ label }) => label))

/** Everybody's scores, once one's own is in. */
export function ScoreTable({
  record: { criteria, score },
  onChange,
}: {
  record: ApplicationDetail
  /** Null where the role may not score. */
  onChange: (() => void) | null
}) {
  const { username } = useProfile()
  const others: Given[] = score.others ?? []
  const all: Given[] = [...(score.mine ? [{ by: null, ...score.mine }] : []), ...others]
  const apart = widestGaps(criteria, all)
  const comments = all.filter(({ comment }) => comment)
  const nameOf = ({ by }: Given) => by ?? `${username} (you)`

  return (
    <section className={styles.card} aria-label="Scores">
      <h3>
        Scores <span className={styles.count}>{givers(others.length)}</span>
      </h3>
      {criteria.map((criterion) => (
        <div className={styles.values} key={criterion.key}>
          <h4>{criterion.label}</h4>
          <ol className={styles.scale}>
            {givenTo(criterion, all).map((given, index) => (
              <li
                // biome-ignore lint/suspicious/noArrayIndexKey: a value is its place
                key={index}
                data-given={given.length > 0 || undefined}
                data-own={given.some(({ by }) => by === null) || undefined}
              >
                <span aria-hidden="true" title={given.map(nameOf).join(', ')}>
                  {given.length === all.length && all.length > 1
                    ? all.length === 2
                      ? 'both'
                      : `all ${all.length}`
                    : given.map(({ by }) => initialsOf(by ?? username)).join(' ') || index + 1}
                </span>
                <span className="visually-hidden">
                  {index + 1}: {given.map(nameOf).join(', ') || 'nobody'}
                </span>
              </li>
            ))}
          </ol>
          <p className={styles.anchors}>
            <b>
              {givenTo(criterion, all)
                .flatMap((given, index) =>
                  given.length > 0 ? [`${index + 1}: ${criterion.anchors[index]}`] : [],
                )
                .join('. ')}
            </b>
          </p>
        </div>
      ))}
      {apart.length > 0 && (
        <p className={`secondary ${styles.apart}`}>
          <b>Furthest apart: {named(apart)}.</b> Talk before you decide.
        </p>
      )}
      {comments.length > 0 && (
        <dl className={styles.comments}>
          {comments.map((given) => (
            <div key={given.by ?? ''}>
              <dt className="caption">{nameOf(given)}</dt>
              <dd className="typed" dir="auto">
                {given.comment}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {onChange && (
        <Button look="line" onClick={onChange}>
          Change my score
        </Button>
      )}
    </section>
  )
}

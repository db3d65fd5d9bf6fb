import { use, useId, useState } from 'react'
import { limits } from '#contract/limits.ts'
import type { Criterion } from '#contract/positions.ts'
import { errorId, FieldProblems } from '#ui/field.tsx'
import { modifierKey } from '../../browser/modifier-key.ts'
import { createStore } from '../../browser/store.ts'
import { refusalOf } from '../../changes/retry-policy.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { CheckedForm } from '../../components/checked-form.tsx'
import { sendByKey } from '../../components/form.tsx'
import { Key } from '../../components/key.tsx'
import { useMay, useProfile } from '../../session/profile.ts'
import { onSignedOut } from '../../session/session.ts'
import type { ApplicationDetail } from '../record.ts'
import styles from './hiring.module.css'
import { useSaveScore } from './save-score.ts'
import { ScoreTable } from './score-table.tsx'

type Stored = ApplicationDetail['score']['mine']
type ScoreDraft = Omit<NonNullable<Stored>, 'comment'> & { comment: string }

/** Scores that were begun, by person and record: they stay while others are looked at, as long as this page is open. */
const drafts = createStore<ReadonlyMap<string, ScoreDraft>>(new Map())

const draftOf = (all: ReadonlyMap<string, ScoreDraft>, key: string, stored: Stored): ScoreDraft =>
  all.get(key) ?? { criteria: stored?.criteria ?? {}, comment: stored?.comment ?? '' }

const writeScore = (key: string, draft: ScoreDraft): void =>
  drafts.set(new Map([...drafts.get(), [key, draft]]))

const forgetScore = (key: string): void =>
  drafts.set(new Map([...drafts.get()].filter(([other]) => other !== key)))

onSignedOut(() => drafts.set(new Map()))

/** `2 others have scored.` */
const othersText = (count: number): string =>
  count === 1 ? 'Somebody else has scored.' : `${count} others have scored.`

/** The score of an application: first one's own, then everybody's. */
export function Scorecard({ record }: { record: ApplicationDetail }) {
  const [isChanging, setChanging] = useState(false)
  const { score, box } = record
  const mayScore = useMay('records.change') && box !== 'trash'
  // A score lacks the criteria that the position has got since: it shows no others until it is whole.
  if (score.mine && score.others && !isChanging)
    return <ScoreTable record={record} onChange={mayScore ? () => setChanging(true) : null} />
  if (mayScore)
    return (
      <OwnScore record={record} onSave={() => setChanging(true)} onEnd={() => setChanging(false)} />
    )
  return (
    <section className={styles.card} aria-label="Scores">
      <h3>Scores</h3>
      <p className={styles.withheld}>
        <span>
          {score.count === 0 ? 'Nobody has scored yet.' : `${score.count} have scored.`} Scores show
          to those who have given one.
        </span>
      </p>
    </section>
  )
}

interface OwnScoreProps {
  record: ApplicationDetail
  onSave: () => void
  onEnd: () => void
}

function OwnScore({ record, onSave, onEnd }: OwnScoreProps) {
  const { _id, name, criteria, score } = record
  const comment = useId()
  const draftKey = `${useProfile().id}:${_id}`
  const draft = draftOf(drafts.use(), draftKey, score.mine)
  const { mutate, isPending, error } = useSaveScore(_id)
  const given = criteria.filter(({ key }) => draft.criteria[key] !== undefined).length
  const others = score.count - (score.mine ? 1 : 0)

  const save = () => {
    const sent = draftOf(drafts.get(), draftKey, score.mine)
    const { criteria: values, comment: text } = sent
    writeScore(draftKey, sent)
    const own = Object.fromEntries(
      criteria.flatMap(({ key }) => (values[key] === undefined ? [] : [[key, values[key]]])),
    )
    onSave()
    mutate(
      { criteria: own, comment: text },
      {
        onSuccess: () => {
          // The draft was changed while it was saved: the form stays open.
          if (draftOf(drafts.get(), draftKey, sent) !== sent) return
          forgetScore(draftKey)
          onEnd()
        },
      },
    )
  }

  return (
    <section className={styles.card} aria-label="Your score">
      <h3>
        Your score{' '}
        <span className={styles.count}>
          {given} of {criteria.length}
        </span>
      </h3>
      <CheckedForm
        onSend={() => {
          if (!isPending) save()
        }}
        onKeyDown={sendByKey}
      >
        {criteria.map((criterion) => (
          <Values
            key={criterion.key}
            criterion={criterion}
            value={draft.criteria[criterion.key]}
            onValue={(value) =>
              writeScore(draftKey, {
                ...draft,
                criteria: { ...draft.criteria, [criterion.key]: value },
              })
            }
          />
        ))}
        <label className={styles.label} htmlFor={comment}>
          Why <span>for those who score too; optional</span>
        </label>
        <textarea
          id={comment}
          className={styles.comment}
          rows={2}
          maxLength={limits.score.comment}
          value={draft.comment}
          onChange={(event) => writeScore(draftKey, { ...draft, comment: event.target.value })}
        />
        {others > 0 && (
          <p className={styles.withheld}>
            <span>
              <b>{othersText(others)}</b> {others === 1 ? 'That score shows' : 'Their scores show'}{' '}
              when yours is in, so that you judge on your own.
            </span>
          </p>
        )}
        {error && (
          <p className={styles.problem} role="alert">
            {refusalOf(error, name, 'Your score was not saved. Please try again.')}
          </p>
        )}
        <div className={styles.save}>
          <Button type="submit" busy={isPending && 'Saving...'}>
            Save my score
            <Key of={`${modifierKey} ↵`} />
          </Button>
          {score.mine && score.others && (
            <LinkButton
              onClick={() => {
                forgetScore(draftKey)
                onEnd()
              }}
            >
              Keep the earlier score
            </LinkButton>
          )}
        </div>
      </CheckedForm>
    </section>
  )
}

interface ValuesProps {
  criterion: Criterion
  value: number | undefined
  onValue: (value: number) => void
}

/** One criterion: 1 to 4, with the words of the chosen value or, before, of both ends. */
function Values({ criterion: { key, label, anchors }, value, onValue }: ValuesProps) {
  const name = useId()
  const problems = use(FieldProblems)[`${name}-0`]
  return (
    <fieldset
      className={styles.values}
      aria-describedby={problems && errorId(name)}
      data-invalid={problems && ''}
    >
      <legend>{label}</legend>
      {problems && (
        <p className={styles.problem} id={errorId(name)}>
          {problems.join(' ')}
        </p>
      )}
      <div className={styles.scale}>
        {anchors.map((anchor, index) => (
          <label key={anchor} title={anchor}>
            <input
              type="radio"
              id={`${name}-${index}`}
              name={`${name}-${key}`}
              value={index + 1}
              required
              checked={value === index + 1}
              aria-label={`${index + 1}, ${anchor}`}
              onChange={() => onValue(index + 1)}
            />
            {index + 1}
          </label>
        ))}
      </div>
      {value === undefined ? (
        <p className={styles.anchors}>
          <span>1: {anchors[0]}</span>
          <span>
            {anchors.length}: {anchors.at(-1)}
          </span>
        </p>
      ) : (
        <p className={styles.anchors}>
          <b>
            {value}: {anchors[value - 1]}
          </b>
        </p>
      )}
    </fieldset>
  )
}

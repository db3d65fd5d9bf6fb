import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Group, groupLabels, groups } from '#contract/inbox.ts'
import type { Stats, Warning } from '#contract/stats.ts'
import { useNow } from '../browser/use-now.ts'
import { groupMarks, Icon, StageMark } from '../components/icon.tsx'
import { TextLink } from '../components/text-link.tsx'
import { counted, countOf } from '../format/count.ts'
import { nearTimeOf } from '../format/dates.ts'
import { dueLabel } from '../record/clock/due-label.ts'
import { inOrder } from '../record/clock/due-order.ts'
import { isLate } from '../record/clock/promise.ts'
import { excerptOf } from '../record/kinds/kind-view.ts'
import { runKinds } from '../record/kinds/run-kinds.ts'
import { views } from '../record/kinds/views.ts'
import { Link } from '../router/link.tsx'
import { useMay } from '../session/profile.ts'
import { shownKinds } from '../site.ts'
import styles from './needs-you.module.css'
import { listOf } from './owed.tsx'
import { answerFirst, answerFirstQuery } from './queries.ts'

const warningTexts: Record<Warning, readonly [what: string, then: string]> = {
  disk_nearly_full: ['The disk is nearly full', 'New messages will soon be refused'],
  migration_pending: ['The database lacks a migration', 'Run: npm run db:migrate'],
  retention_overdue: [
    'The clean-up of old data has not succeeded for two days',
    'Data is kept longer than promised: the log says why',
  ],
}

/**
 * The inbox by group and kind, and the start of the run. Each number leads to a list of
 * exactly that many rows.
 *
 * @param isSettingUp nothing says that nothing waits while the site is not set up
 */
export function NeedsYou({ figures, isSettingUp }: { figures: Stats; isSettingUp: boolean }) {
  const mayChange = useMay('records.change')
  const today = new Date(useNow())
  const { nextDue, nextBack, mail, warnings } = figures
  const totals = Object.fromEntries(
    groups.map((group) => [group, sum(shownKinds.map((kind) => figures.groups[kind][group]))]),
  ) as Record<Group, number>
  const inRun = (group: 'late' | 'due') => sum(runKinds.map((kind) => figures.groups[kind][group]))
  const [due, late] = [inRun('due'), inRun('late')]
  const facts: Record<Group, string> = {
    late: 'Past the time we promised',
    due: nextDue ? `The next ${nearTimeOf(nextDue, today)}` : '',
    open: 'No hour promised',
    snoozed: nextBack ? `The first back ${nearTimeOf(nextBack, today)}` : '',
    waiting: 'We answered, they have not',
    done: 'Nothing left to answer',
  }
  const isCalm = totals.late + totals.due + totals.open + mail.failed + warnings.length === 0
  return (
    <section className={styles.needs} aria-label="What needs you">
      <div className={styles.strip}>
        {mayChange && due + late > 0 ? (
          <Link className={styles.start} to="/admin/run">
            <b>{countOf(due + late)} late or due</b>
            <span>
              {[due > 0 && `${countOf(due)} due first`, late > 0 && `${countOf(late)} late`]
                .filter(Boolean)
                .join(', then ')}
            </span>
            <span className={styles.go}>
              Start <Icon name="arrow" />
            </span>
          </Link>
        ) : (
          <div className={styles.rest}>
            {isCalm && !isSettingUp ? (
              <>
                <Icon name="check" />
                <p role="status">Nothing waits for you.</p>
              </>
            ) : (
              <b>What is owed</b>
            )}
          </div>
        )}
        {groups.map((group) => (
          <Cell key={group} group={group} n={totals[group]} figures={figures}>
            {totals[group] > 0 && facts[group]}
          </Cell>
        ))}
      </div>
      <table className={styles.kinds}>
        <caption className="visually-hidden">What is owed, by kind</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Kind</span>
            </th>
            {groups.map((group) => (
              <th key={group} scope="col">
                <StageMark stage={groupMarks[group]} />
                <span className="visually-hidden">{groupLabels[group]}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shownKinds.map((kind) => (
            <tr key={kind}>
              <th scope="row">{views[kind].title}</th>
              {groups.map((group) => {
                const n = figures.groups[kind][group]
                return (
                  <td key={group}>
                    {n === 0 ? (
                      0
                    ) : (
                      <Link
                        to={`/admin/${kind}`}
                        search={{ group }}
                        aria-label={`${views[kind].title}, ${groupLabels[group]}: ${n}`}
                      >
                        {countOf(n)}
                      </Link>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {mail.failed > 0 && (
        <p className={styles.notice}>
          <Icon name="warn" />
          <TextLink to="/admin/mail">{counted(mail.failed, 'e-mail')} failed</TextLink> See why, and
          send again.
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} className={styles.notice}>
          <Icon name="warn" />
          <span>
            <b>{warningTexts[warning][0]}.</b> {warningTexts[warning][1]}
          </span>
        </p>
      ))}
    </section>
  )
}

interface CellProps {
  group: Group
  n: number
  figures: Stats
  children: ReactNode
}

/** A group of all kinds; of one kind alone it leads to that kind's list. */
function Cell({ group, n, figures, children }: CellProps) {
  const holding = shownKinds.filter((kind) => figures.groups[kind][group] > 0)
  const said = (
    <>
      <span className={styles.group}>
        <StageMark stage={groupMarks[group]} />
        {groupLabels[group]}
      </span>{' '}
      <b>{countOf(n)}</b> <span className="secondary wide-only">{children}</span>
    </>
  )
  if (n === 0) return <p className={styles.cell}>{said}</p>
  return (
    <Link className={styles.cell} {...listOf({ group }, holding)}>
      {said}
    </Link>
  )
}

/** The first records of a run, in its order. */
export function AnswerFirst({ figures }: { figures: Stats }) {
  const now = useNow()
  const mayChange = useMay('records.change')
  const wanted = runKinds
    .flatMap((kind) => (['due', 'late'] as const).map((group) => ({ kind, group })))
    .filter(({ kind, group }) => figures.groups[kind][group] > 0)
  const found = useQueries({
    queries: wanted.map(({ kind, group }) => answerFirstQuery(kind, group)),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
  const records = inOrder(found, now).slice(0, answerFirst)
  if (wanted.length === 0) return null
  return (
    <section className={styles.first} aria-labelledby="answer-first">
      <header>
        <h2 id="answer-first">Answer first</h2>
        {mayChange && <TextLink to="/admin/run">Start</TextLink>}
      </header>
      <ol>
        {records.map((record) => (
          <li key={record._id}>
            <Link to={`/admin/${record.kind}`} search={{ id: record._id }}>
              <StageMark
                stage={isLate(record, now) ? 'late' : 'waiting'}
                label={isLate(record, now) ? groupLabels.late : groupLabels.due}
              />
              <b className="one-line" dir="auto">
                {record.name}
              </b>
              <bdi className="soft one-line">{excerptOf(views[record.kind], record)}</bdi>
              <span>{dueLabel(record, now).text}</span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

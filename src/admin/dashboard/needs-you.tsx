import { useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { KindPath } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { Stats, Warning } from '#contract/stats.ts'
import { Icon, StageMark } from '../components/icon.tsx'
import { timeOf } from '../format/dates.ts'
import { runKinds } from '../record/kinds/run-kinds.ts'
import { unreadQuery } from '../record/unread.ts'
import { Link } from '../router/link.tsx'
import { useMay } from '../session/profile.ts'
import { shownKinds } from '../site.ts'
import styles from './needs-you.module.css'
import { dueNextQuery } from './queries.ts'

type Counted = readonly [one: string, many: string]

const called: Record<KindPath, Counted> = {
  consultations: ['consultation', 'consultations'],
  applications: ['application', 'applications'],
  contacts: ['contact', 'contacts'],
}

const warningTexts: Record<Warning, readonly [what: string, then: string]> = {
  disk_nearly_full: ['The disk is nearly full', 'New messages will soon be refused'],
  migration_pending: ['The database lacks a migration', 'Run: npm run db:migrate'],
  retention_overdue: [
    'The clean-up of old data has not succeeded for two days',
    'Data is kept longer than promised: the log says why',
  ],
}

const count = (n: number, [one, many]: Counted): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`

/** What waits for somebody, before anything else: broken and near promises, unread, failed mail. */
export function NeedsYou({ figures }: { figures: Stats | undefined }) {
  const { data: counts } = useQuery(unreadQuery)
  const unread = shownKinds
    .map((kind) => ({ kind, n: counts?.[kind] ?? 0 }))
    .filter(({ n }) => n > 0)
    .sort((a, b) => b.n - a.n)
  const total = sum(unread.map(({ n }) => n))
  const overdue = figures?.overdue ?? 0
  const dueSoon = figures?.dueSoon ?? 0
  const failed = figures?.mail.failed ?? 0
  const warnings = figures?.warnings ?? []
  const applicants = figures?.owed.applications
  const waiting = (applicants?.overdue ?? 0) + (applicants?.dueSoon ?? 0)
  const most = unread[0]
  const isKnown = figures !== undefined && counts !== undefined

  if (overdue + dueSoon + failed + total + warnings.length === 0)
    return (
      <section className={styles.calm} aria-label="What needs you" aria-busy={!isKnown}>
        {isKnown && <Icon name="check" />}
        <p role="status">{isKnown ? 'Nothing waits for you.' : 'Checking what waits for you...'}</p>
      </section>
    )

  return (
    <section className={styles.strip} aria-label="What needs you">
      <p className={styles.head}>
        <Icon name="warn" />
        Needs you
      </p>
      {figures && overdue + dueSoon > waiting && <Start owed={figures.owed} />}
      {waiting > 0 && (
        <Link className={styles.item} to="/admin/applications" search={{ sort: 'due' }}>
          <StageMark stage={applicants?.overdue ? 'late' : 'waiting'} />
          <Said
            what={count(waiting, ['applicant waits for a reply', 'applicants wait for a reply'])}
            more="They wrote again"
          />
        </Link>
      )}
      {most && (
        <Link className={styles.item} to={`/admin/${most.kind}`} search={{ sort: 'due' }}>
          <Icon name="mail" />
          <Said
            what={`${total.toLocaleString('en')} unread`}
            more={unread.map(({ kind, n }) => count(n, called[kind])).join(', ')}
          />
        </Link>
      )}
      {failed > 0 && (
        <Link className={styles.item} to="/admin/mail">
          <Icon name="warn" />
          <Said
            what={count(failed, ['e-mail failed', 'e-mails failed'])}
            more="See why, and send again"
          />
        </Link>
      )}
      {warnings.map((warning) => (
        <p key={warning} className={styles.item}>
          <Icon name="warn" />
          <Said what={warningTexts[warning][0]} more={warningTexts[warning][1]} />
        </p>
      ))}
    </section>
  )
}

function Said({ what, more }: { what: string; more: ReactNode }) {
  return (
    <span>
      <b>{what}</b>
      {more && <span className={styles.more}>{more}</span>}
    </span>
  )
}

/** Where the run starts; for those who may only read, the list. */
function Start({ owed }: { owed: Stats['owed'] }) {
  const mayChange = useMay('records.change')
  const late = sum(runKinds.map((kind) => owed[kind].overdue))
  const soon = sum(runKinds.map((kind) => owed[kind].dueSoon))
  const kinds = runKinds.filter((kind) => owed[kind].dueSoon > 0)
  const first = useQueries({
    queries: kinds.map((kind) => dueNextQuery(kind, owed[kind].overdue)),
    combine: (results) =>
      results
        .flatMap(({ data }) => data?.data ?? [])
        .filter(({ dueAt }) => dueAt !== null)
        .sort((a, b) => (a.dueAt ?? '').localeCompare(b.dueAt ?? ''))[0],
  })
  const said = (
    <>
      <StageMark stage={late > 0 ? 'late' : 'waiting'} />
      <Said
        what={[
          late > 0 && `${late.toLocaleString('en')} late`,
          soon > 0 &&
            `${soon.toLocaleString('en')} due ${late > 0 ? 'next' : `within ${limits.dueSoonHours} hours`}`,
        ]
          .filter(Boolean)
          .join(', ')}
        more={
          first?.dueAt ? (
            <>
              <bdi>{first.name}</bdi> is due first, at {timeOf(first.dueAt)}
            </>
          ) : (
            `Past the ${limits.promiseHours}-hour promise`
          )
        }
      />
    </>
  )
  const look = `${styles.item} ${styles.start}`
  if (!mayChange)
    return (
      <Link className={look} to="/admin/consultations" search={{ sort: 'due' }}>
        {said}
      </Link>
    )
  return (
    <Link className={look} to="/admin/run">
      {said}
      <svg className={styles.path} viewBox="0 0 110 34" aria-hidden="true">
        <path d="M2 30C30 2 66 0 96 12" />
        <circle cx="103" cy="14" r="5.5" />
      </svg>
      <span className="btn small">
        Start
        <Icon name="arrow" />
      </span>
    </Link>
  )
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

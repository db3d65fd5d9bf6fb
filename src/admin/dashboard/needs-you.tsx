import { Link } from '@tanstack/react-router'
import { type KindPath, kindPaths } from '#contract/inbox.ts'
import type { Stats, Warning } from '#contract/stats.ts'
import { Icon, StageMark } from '../components/icon.tsx'
import { views } from '../inbox/kinds/views.ts'
import { useUnread } from '../inbox/unread-counts.ts'
import styles from './needs-you.module.css'

const called: Record<KindPath, readonly [one: string, many: string]> = {
  consultations: ['request', 'requests'],
  applications: ['application', 'applications'],
  contacts: ['message', 'messages'],
}

const warningTexts: Record<Warning, readonly [what: string, then: string]> = {
  disk_nearly_full: ['The disk is nearly full', 'New messages will soon be refused'],
  migration_pending: ['The database lacks a migration', 'Run: npm run db:migrate'],
  retention_overdue: [
    'The clean-up of old data has not succeeded for two days',
    'Data is kept longer than promised: the log says why',
  ],
}

const count = (n: number, [one, many]: readonly [string, string], isMore = false): string =>
  `${n.toLocaleString('en')}${isMore ? '+' : ''} ${n === 1 && !isMore ? one : many}`

/** What waits for somebody, before anything else: broken and near promises, unread, failed mail. */
export function NeedsYou({ figures }: { figures: Stats | undefined }) {
  const { isKnown: isCounted, kinds } = useUnread()
  const unread = kindPaths
    .map((kind) => ({ kind, ...kinds[kind] }))
    .filter(({ n }) => n > 0)
    .sort((a, b) => b.n - a.n)
  const total = sum(unread.map(({ n }) => n))
  const overdue = figures?.overdue ?? 0
  const dueSoon = figures?.dueSoon ?? 0
  const failed = figures?.mail.failed ?? 0
  const warnings = figures?.warnings ?? []
  const most = unread[0]
  const isKnown = figures !== undefined && isCounted

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
      {overdue + dueSoon > 0 && (
        <Link
          className={styles.item}
          to="/admin/consultations"
          search={{ status: views.consultations.promisedIn ?? undefined, sort: 'createdAt' }}
        >
          <StageMark stage={overdue > 0 ? 'late' : 'waiting'} />
          <span>
            <b>
              {overdue > 0
                ? `${overdue.toLocaleString('en')} past the 24-hour promise`
                : `${dueSoon.toLocaleString('en')} due within 4 hours`}
            </b>
            {overdue > 0 && dueSoon > 0 && (
              <span className={styles.more}>{dueSoon} more due within 4 hours</span>
            )}
          </span>
        </Link>
      )}
      {most && (
        <Link className={styles.item} to={`/admin/${most.kind}`}>
          <Icon name="mail" />
          <span>
            <b>
              {total.toLocaleString('en')}
              {unread.some(({ isMore }) => isMore) && '+'} unread
            </b>
            <span className={styles.more}>
              {unread.map(({ kind, n, isMore }) => count(n, called[kind], isMore)).join(', ')}
            </span>
          </span>
        </Link>
      )}
      {failed > 0 && (
        <Link className={styles.item} to="/admin/mail">
          <Icon name="warn" />
          <span>
            <b>{count(failed, ['e-mail failed', 'e-mails failed'])}</b>
            <span className={styles.more}>See why, and send again</span>
          </span>
        </Link>
      )}
      {warnings.map((warning) => (
        <p key={warning} className={styles.item}>
          <Icon name="warn" />
          <span>
            <b>{warningTexts[warning][0]}</b>
            <span className={styles.more}>{warningTexts[warning][1]}</span>
          </span>
        </p>
      ))}
    </section>
  )
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

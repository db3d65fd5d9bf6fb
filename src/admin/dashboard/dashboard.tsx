import { useQueries, useQuery } from '@tanstack/react-query'
import { useNow } from '../browser/use-now.ts'
import { Icon } from '../components/icon.tsx'
import { LoadFailed } from '../components/load-failed.tsx'
import { Segments } from '../components/segments.tsx'
import { TextLink } from '../components/text-link.tsx'
import { counted, countOrDash } from '../format/count.ts'
import { nowText } from '../format/dates.ts'
import { views } from '../record/kinds/views.ts'
import { lazyComponent } from '../router/lazy-component.tsx'
import { Link } from '../router/link.tsx'
import { useParameter } from '../router/use-parameter.ts'
import { useProfile } from '../session/profile.ts'
import { queryClient } from '../session/query-client.ts'
import { shownKinds } from '../site.ts'
import { Answers } from './answers.tsx'
import { Applicants } from './applicants.tsx'
import { ArrivalsChart } from './arrivals-chart.tsx'
import { BarChart } from './bar-chart.tsx'
import styles from './dashboard.module.css'
import { FactorNudge, useFactorNudge } from './factor-nudge.tsx'
import { Latest } from './latest.tsx'
import { AnswerFirst, NeedsYou } from './needs-you.tsx'
import { listOf } from './owed.tsx'
import { latestQuery, statsQuery } from './queries.ts'
import { Setup, useSetup } from './setup.tsx'

const Coming = lazyComponent(() => import('../times/coming.tsx').then((m) => m.Coming))

const spans = ['14', '30', '90'] as const

export function Dashboard() {
  const { username } = useProfile()
  const [shownSpan, setSpan] = useParameter('days', spans, spans[0])
  const lists = useQueries({ queries: shownKinds.map(latestQuery) })
  const figures = useQuery(statsQuery(Number(shownSpan)))
  // If another span cannot be loaded, the figures of the first span stay.
  const firstKnown = queryClient.getQueryData(statsQuery(Number(spans[0])).queryKey)
  const known = figures.data ?? firstKnown
  const queries = [...lists, figures]
  const setup = useSetup()
  const isSettingUp = setup.items.length > 0
  const nudge = useFactorNudge()
  const stages = views.applications.statuses.map(({ value, label }) => ({
    label,
    n: known?.byStatus.applications[value] ?? 0,
    to: { to: '/admin/applications', search: { status: value } } as const,
  }))
  const sources = Object.entries(known?.bySource ?? {})
    .map(([label, n]) => ({ label, n }))
    .sort((a, b) => b.n - a.n)
  // Can differ from `shownSpan` while another span is loaded.
  const shownDays = known?.days.length
  const isFailed = queries.some(({ isError }) => isError)

  // The top comes with the rest: later, it would move a control that somebody is about to press.
  if ((!known && figures.isPending) || setup.isLoading || nudge.isLoading)
    return (
      <>
        <Greeting name={username} />
        <p className={styles.loading} role="status">
          Loading dashboard data...
        </p>
      </>
    )

  return (
    <>
      <Greeting name={username} />
      {isFailed && (
        <LoadFailed
          sentence="Failed to load dashboard data. Please try again."
          retry={() => {
            for (const query of queries) if (query.isError) void query.refetch()
          }}
        />
      )}
      {isSettingUp ? <Setup items={setup.items} /> : nudge.isDue && <FactorNudge />}
      {known && <NeedsYou figures={known} isSettingUp={isSettingUp} />}
      {known && (
        <div className={styles.two}>
          <Answers
            total={known.answers}
            division="Kind"
            parts={shownKinds
              .filter((kind) => known.answersByKind[kind].due > 0)
              .map((kind) => ({
                id: kind,
                label: views[kind].title,
                counts: known.answersByKind[kind],
                to: (answers) => ({ to: `/admin/${kind}`, search: { answers, days: shownDays } }),
              }))}
            period={`in these ${shownDays} days`}
            to={(answers) =>
              listOf(
                { answers, days: String(shownDays) },
                shownKinds.filter((kind) => known.answersByKind[kind][answers] > 0),
              )
            }
          >
            <Segments
              legend="Days shown"
              options={spans.map((span) => [span, `${span} days`])}
              value={shownSpan}
              onChange={setSpan}
            />
          </Answers>
          <AnswerFirst figures={known} />
        </div>
      )}
      <div className={styles.tiles}>
        {shownKinds.map((kind, index) => (
          <Link key={kind} to={`/admin/${kind}`}>
            <span>{views[kind].title}</span> <b>{countOrDash(lists[index]?.data?.meta.total)}</b>{' '}
            <span className={styles.counted}>{views[kind].counted}</span>
          </Link>
        ))}
      </div>
      {known && (
        <>
          <Coming figures={known} />
          <Applicants unanswered={known.unanswered} />
          <div className={styles.two}>
            <ArrivalsChart days={known.days} />
            {shownKinds.includes('applications') && (
              <BarChart
                title="Applications by stage"
                label="Stage"
                counted="Applications"
                note={
                  <>
                    <TextLink to="/admin/applications">
                      {counted(sum(stages), 'candidate')}
                    </TextLink>{' '}
                    in all
                  </>
                }
                bars={stages}
                waiting={stages[0]?.label}
              />
            )}
            <BarChart
              title="Where people came from"
              label="Source"
              counted="Submissions"
              note={
                sources.length > 0
                  ? `${sum(sources)} in these ${shownDays} days`
                  : `Nothing has come in during these ${shownDays} days. Choose a longer time above.`
              }
              bars={sources.slice(0, 5)}
            >
              <TextLink to="/admin/sources">Where enquiries come from</TextLink>
            </BarChart>
          </div>
        </>
      )}
      <div className={styles.three}>
        {shownKinds.map((kind, index) => (
          <Latest key={kind} view={views[kind]} records={lists[index]?.data?.data} />
        ))}
      </div>
    </>
  )
}

function Greeting({ name }: { name: string }) {
  return (
    <div className={styles.greeting}>
      <h1>Hello, {name}</h1>
      <p className="soft">{nowText(new Date(useNow()))}</p>
      {/* The phone's bar has them already. */}
      <Link to="/admin/users" className="btn small line wide-only">
        <Icon name="users" />
        Manage Users
      </Link>
    </div>
  )
}

const sum = (bars: readonly { n: number }[]): number => bars.reduce((all, { n }) => all + n, 0)

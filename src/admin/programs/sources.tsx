import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  exportSources,
  type PageRow,
  readSources,
  type SourceRow,
  sourceDays,
} from '#contract/visits.ts'
import { CsvDownload } from '../components/csv-download.tsx'
import { Empty } from '../components/empty.tsx'
import { LoadState } from '../components/load-states.tsx'
import panel from '../components/panel.module.css'
import { Segments } from '../components/segments.tsx'
import { Table } from '../components/table.tsx'
import { countOf } from '../format/count.ts'
import { useParameter } from '../router/use-parameter.ts'
import { callQuery } from '../session/query-client.ts'
import { askFile } from '../session/session.ts'
import styles from './programs.module.css'

type Figures = Omit<SourceRow, 'source'> & { _id: string }

const columns: readonly (readonly [string, (row: Figures) => ReactNode])[] = [
  ['Visits', ({ visits }) => (visits === 0 ? '–' : `about ${countOf(visits)}`)],
  ['Forms begun', ({ begun }) => (begun === 0 ? '–' : `about ${countOf(begun)}`)],
  ['Sent', ({ sent }) => countOf(sent)],
  ['Sent of visits', ({ rate }) => (rate === null ? '–' : `${(rate * 100).toFixed(1)} %`)],
  ['Answered', ({ answered }) => countOf(answered)],
  ['In time', ({ inTime }) => countOf(inTime)],
  ['Completed or accepted', ({ accepted }) => countOf(accepted)],
]

function FiguresOf({ title, head, rows }: { title: string; head: string; rows: Figures[] }) {
  if (rows.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby={head}>
      <h2 id={head}>{title}</h2>
      <Table columns={[[head, ({ _id }) => _id], ...columns]} rows={rows} />
    </section>
  )
}

const sourceFigures = ({ source, ...figures }: SourceRow): Figures => ({ _id: source, ...figures })
const pageFigures = ({ page, ...figures }: PageRow): Figures => ({ _id: page, ...figures })

/** Visits and what became of them, by where they came from and by the page that they began on. */
export function Sources() {
  const [days, setDays] = useParameter('days', sourceDays, '30')
  const sources = useQuery(callQuery(['sources', days], readSources, { query: { days } }))
  const { data } = sources
  return (
    <>
      <h1>Where enquiries come from</h1>
      <Segments
        legend="Period"
        options={sourceDays.map((value) => [value, `${value} days`])}
        value={days}
        onChange={setDays}
      />
      <div className={panel.state}>
        <p className={panel.say}>
          Submissions are counted exactly. Visit numbers are estimates: a page counts one when a
          visit begins, nothing tells visitors apart, and none is counted without JavaScript, with a
          signal against tracking or by a known robot. A source with under five visits a day is in{' '}
          <i>other</i>; under 20 visits there is no share.
        </p>
        <LoadState query={sources} failed="Failed to load the figures. Please try again." />
        {data?.data.length === 0 && (
          <Empty text="Nobody has come in this time">
            Visits are counted from the moment that they are switched on.
          </Empty>
        )}
      </div>
      {data && data.data.length > 0 && (
        <>
          <FiguresOf title="By source" head="Source" rows={data.data.map(sourceFigures)} />
          <FiguresOf title="By landing page" head="Page" rows={data.meta.pages.map(pageFigures)} />
          <CsvDownload
            load={() => askFile(exportSources, { query: { days } })}
            name={`sources-${days}-days.csv`}
          />
        </>
      )}
    </>
  )
}

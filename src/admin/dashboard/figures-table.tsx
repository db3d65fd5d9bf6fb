import buttons from '../components/button.module.css'
import { Table } from '../components/table.tsx'
import { countOf } from '../format/count.ts'
import { Link } from '../router/link.tsx'
import type { Target } from '../router/location.ts'

/** A number, with the list of exactly those that it counts; or what was worked out from numbers. */
type Figure = number | string | { n: number; to: Target }

interface Props {
  caption: string
  heads: readonly [string, ...string[]]
  rows: readonly (readonly [label: string, ...figures: Figure[]])[]
  isOpen?: boolean | undefined
}

const shown = (figure: Figure | undefined) => {
  if (typeof figure === 'number') return countOf(figure)
  if (typeof figure !== 'object') return figure
  return figure.n === 0 ? 0 : <Link {...figure.to}>{countOf(figure.n)}</Link>
}

/** A chart's numbers, for those who do not see it. */
export function FiguresTable({ caption, heads: [first, ...heads], rows, isOpen }: Props) {
  const table = (
    <Table
      caption={caption}
      columns={[
        [first, ({ label }) => label],
        ...heads.map((head, n) => [head, ({ figures }: Row) => shown(figures[n])] as const),
      ]}
      rows={rows.map(([label, ...figures], place) => ({ _id: `${place}`, label, figures }))}
    />
  )
  if (isOpen) return table
  return (
    <details>
      <summary className={buttons.link}>Show as a table</summary>
      {table}
    </details>
  )
}

interface Row {
  _id: string
  label: string
  figures: Figure[]
}

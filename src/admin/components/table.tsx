import type { ReactNode } from 'react'
import styles from './table.module.css'

type Column<Row> = readonly [head: string, cell: (row: Row) => ReactNode]

interface Props<Row> {
  /** For screen readers; left out where a heading names the table. */
  caption?: string
  /** The first names the row. */
  columns: readonly [Column<Row>, ...Column<Row>[]]
  rows: readonly Row[]
}

/** A table that becomes cards on a phone, where each cell carries its column's name. Drawn only with rows. */
export function Table<Row extends { _id: string }>({ caption, columns, rows }: Props<Row>) {
  const [[, name], ...others] = columns
  if (rows.length === 0) return null
  return (
    <table className={styles.table}>
      {caption && <caption className="visually-hidden">{caption}</caption>}
      <thead>
        <tr>
          {columns.map(([head]) => (
            <th key={head} className="caption" scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row._id}>
            <th scope="row">{name(row)}</th>
            {others.map(([head, cell]) => (
              <td key={head} data-label={head}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

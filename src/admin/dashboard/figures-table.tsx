import buttons from '../components/button.module.css'
import { Link } from '../router/link.tsx'
import type { Target } from '../router/location.ts'
import styles from './dashboard.module.css'

/** A number, with the list of exactly those that it counts. */
type Figure = number | { n: number; to: Target }

interface Props {
  caption: string
  heads: readonly string[]
  rows: readonly (readonly [label: string, ...figures: Figure[]])[]
}

/** A chart's numbers, for those who do not see it. */
export function FiguresTable({ caption, heads, rows }: Props) {
  return (
    <details>
      <summary className={buttons.link}>Show as a table</summary>
      <div className={styles.table}>
        <table>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, ...figures]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {figures.map((figure, index) => (
                  <td key={heads[index + 1]}>
                    {typeof figure === 'number' ? (
                      figure
                    ) : figure.n === 0 ? (
                      0
                    ) : (
                      <Link {...figure.to}>{figure.n}</Link>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

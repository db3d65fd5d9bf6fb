import buttons from '../components/button.module.css'
import styles from './dashboard.module.css'

interface Props {
  caption: string
  heads: readonly string[]
  rows: readonly (readonly [label: string, ...figures: number[]])[]
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
                  <td key={heads[index + 1]}>{figure}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

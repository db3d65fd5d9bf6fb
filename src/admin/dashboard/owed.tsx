import { groupLabels, groups, kindPaths } from '#contract/inbox.ts'
import type { Stats } from '#contract/stats.ts'
import { views } from '../record/kinds/views.ts'
import { Link } from '../router/link.tsx'
import styles from './dashboard.module.css'

/** How many records are in each group. Each number leads to a list of exactly that many rows. */
export function Owed({ figures }: { figures: Stats }) {
  return (
    <section className={styles.owed} aria-labelledby="owed">
      <h2 id="owed">What is owed</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className={styles.wide} aria-label="What is owed, by kind" tabIndex={0}>
        <table className={styles.answersTable}>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              {groups.map((group) => (
                <th key={group} scope="col">
                  {groupLabels[group]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {kindPaths.map((kind) => (
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
                          {n.toLocaleString('en')}
                        </Link>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}

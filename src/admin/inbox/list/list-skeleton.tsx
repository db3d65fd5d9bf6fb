import styles from './list.module.css'
import type { ListLook } from './use-list-look.ts'

/** While the first page is on its way: the list's own shape. */
export function ListSkeleton({ look }: { look: ListLook }) {
  return (
    <div className={`${styles.list} ${styles.skeleton}`} data-look={look.name} aria-hidden="true">
      {Array.from({ length: 10 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={index} className={styles.waiting}>
          <i />
          <i />
        </div>
      ))}
    </div>
  )
}

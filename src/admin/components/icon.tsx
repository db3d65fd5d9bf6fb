import type { Group, Stage } from '#contract/inbox.ts'
import { type IconName, icons } from '#ui/all-icons.ts'
import { Icon as ShapeIcon } from '#ui/icon.tsx'
import { site } from '../site.ts'
import styles from './icon.module.css'

/** An icon by its name, for screens that choose it by data. */
export const Icon = ({ name }: { name: IconName }) => <ShapeIcon shape={icons[name]} />

/** The state of a piece of work, shown by shape as well as by colour. */
export type Mark = Stage | 'late' | 'snoozed'

export const groupMarks: Readonly<Record<Group, Mark>> = {
  late: 'late',
  due: 'waiting',
  open: 'waiting',
  snoozed: 'snoozed',
  waiting: 'moving',
  done: 'done',
}

export function StageMark({ stage, label }: { stage: Mark; label?: string | undefined }) {
  return (
    <svg
      className={`icon ${styles[stage]}`}
      viewBox="0 0 14 14"
      role="img"
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <path d="M7 1.6 13 12H1Z" />
      {stage === 'moving' && <path className={styles.half} d="M7 1.6V12H1Z" />}
    </svg>
  )
}

export function BrandMark() {
  return (
    <svg className={styles.brand} viewBox="0 0 32 32" aria-hidden="true">
      <path d={site.mark} />
    </svg>
  )
}

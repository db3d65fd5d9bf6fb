import type { PointerEvent } from 'react'
import styles from './site.module.css'

const rowsAround = ({ currentTarget }: PointerEvent): HTMLElement[] => {
  const list = currentTarget.closest('[data-place]')?.parentElement
  return [...(list?.querySelectorAll<HTMLElement>(':scope > [data-place]') ?? [])]
}

/** The handle by which a mouse, a pen or a finger drags an item to the place of another one: to its `data-place`. */
export function Grip({ move }: { move: (to: number) => void }) {
  const end = (event: PointerEvent) => {
    for (const row of rowsAround(event)) {
      if (event.type === 'pointerup' && 'over' in row.dataset) move(Number(row.dataset.place))
      delete row.dataset.over
    }
  }
  return (
    <span
      role="presentation"
      className={styles.grip}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        const rows = rowsAround(event)
        const over = rows.find((row) => event.clientY < row.getBoundingClientRect().bottom)
        for (const row of rows)
          if (row === (over ?? rows.at(-1))) row.dataset.over = ''
          else delete row.dataset.over
      }}
      onPointerUp={end}
      onPointerCancel={end}
    />
  )
}

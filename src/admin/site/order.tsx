import type { PointerEvent } from 'react'
import { LinkButton } from '../components/button.tsx'
import styles from './site.module.css'

/** An item with `data-place` is moved by hand to the place of another one of its list. */
interface Props {
  name: string
  index: number
  count: number
  move: (to: number) => void
}

const rowsAround = ({ currentTarget }: PointerEvent): HTMLElement[] => {
  const list = currentTarget.closest('[data-place]')?.parentElement
  return [...(list?.querySelectorAll<HTMLElement>(':scope > [data-place]') ?? [])]
}

/** The handle by which a mouse, a pen or a finger drags an item. */
export function Grip({ move }: Pick<Props, 'move'>) {
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

export const MoveButtons = ({ name, index, count, move }: Props) => (
  <>
    {index > 0 && (
      <LinkButton on={name} onClick={() => move(index - 1)}>
        Move up
      </LinkButton>
    )}
    {index < count - 1 && (
      <LinkButton on={name} onClick={() => move(index + 1)}>
        Move down
      </LinkButton>
    )}
  </>
)

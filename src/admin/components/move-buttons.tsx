import { LinkButton } from './button.tsx'

interface Props {
  name: string
  index: number
  count: number
  busy?: boolean
  move: (to: number) => void
}

export const MoveButtons = ({ name, index, count, busy = false, move }: Props) => (
  <>
    {index > 0 && (
      <LinkButton on={name} busy={busy} onClick={() => move(index - 1)}>
        Move up
      </LinkButton>
    )}
    {index < count - 1 && (
      <LinkButton on={name} busy={busy} onClick={() => move(index + 1)}>
        Move down
      </LinkButton>
    )}
  </>
)

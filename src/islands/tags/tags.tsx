import { useEffect, useRef } from 'react'
import { islandReady } from '#islands/island-ready.ts'
import { Icon } from '#ui/icon.tsx'
import { waypoints } from '#ui/icons.ts'
import { makeDraggable } from './physics.ts'

interface Props {
  tags: readonly { name: string; icon: keyof typeof waypoints }[]
}

/**
 * The technologies beside the hero's text. CSS positions them and lets them drift; with the script
 * they can be thrown, and the left and right arrow keys push all of them.
 */
export const Tags = ({ tags }: Props) => {
  const field = useRef<HTMLUListElement>(null)

  useEffect(() => {
    if (!field.current) return
    const release = makeDraggable(field.current)
    field.current.dispatchEvent(new Event(islandReady, { bubbles: true }))
    return release
  }, [])

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys push the tags
    <ul ref={field} tabIndex={0} aria-label="Technologies we work with">
      {tags.map(({ name, icon }) => (
        <li key={name} className="tag">
          <Icon shape={waypoints[icon]} />
          {name}
        </li>
      ))}
    </ul>
  )
}

import type { ComponentProps } from 'react'
import { Link } from '../router/link.tsx'
import buttons from './button.module.css'

/** A link that stands by itself, underlined in the accent. */
export const TextLink = (props: Omit<ComponentProps<typeof Link>, 'className'>) => (
  <Link {...props} className={buttons.link} />
)

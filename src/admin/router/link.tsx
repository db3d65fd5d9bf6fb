import type { ComponentProps, MouseEvent } from 'react'
import { navigate, preload, type Target, urlOf } from './location.ts'

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'>, Target {
  replace?: boolean
}

/** True if the click opens the link here: not in another tab, and not as a download. */
export const isPlain = (event: MouseEvent<HTMLAnchorElement>): boolean =>
  !event.defaultPrevented &&
  event.button === 0 &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) &&
  (event.currentTarget.target || '_self') === '_self'

/** A link to a screen of the admin, whose code it loads when the pointer or the focus comes near. */
export function Link({ to, search, hash, replace = false, onClick, ...rest }: LinkProps) {
  const url = urlOf({ to, search, hash })
  const prepare = () => preload(to)
  return (
    <a
      {...rest}
      href={url}
      onMouseEnter={prepare}
      onFocus={prepare}
      onTouchStart={prepare}
      onClick={(event) => {
        onClick?.(event)
        if (!isPlain(event)) return
        event.preventDefault()
        void navigate(url, { replace })
      }}
    />
  )
}

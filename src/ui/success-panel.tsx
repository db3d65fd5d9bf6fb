import '#styles/form.css'
import '#styles/button.css'
import type { ReactNode, Ref } from 'react'
import { Icon } from './icon.tsx'
import { back as backIcon } from './icons.ts'

interface Props {
  heading: string
  text: string
  back?: { href: string; label: string } | undefined
  children?: ReactNode
  ref?: Ref<HTMLDivElement>
}

/** Replaces a form that was sent. Announced when it appears; can take focus. */
export const SuccessPanel = ({ heading, text, back, children, ref }: Props) => (
  <div className="done" role="status" tabIndex={-1} ref={ref}>
    <svg className="landed" viewBox="0 0 320 96" aria-hidden="true">
      <path className="flight-path" d="M12 84C90 84 120 20 268 20" />
      <path className="from" d="M11 78.6 17 89H5Z" />
      <path className="wing" d="M274.9 9.3 307.9 18.3 296.1 26.2M277 24.9 289 28.6 280 36.4" />
    </svg>
    <h2>{heading}</h2>
    <p className="intro">{text}</p>
    {children}
    {back && (
      <a className="btn" href={back.href}>
        <Icon shape={backIcon} />
        {back.label}
      </a>
    )}
  </div>
)

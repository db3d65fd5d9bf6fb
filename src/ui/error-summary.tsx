import '#styles/form.css'
import type { Ref } from 'react'
import { fieldCountMessage } from '#contract/http/error-messages.ts'

interface Props {
  message: string
  detail?: string | undefined
  /** Each refused field's message, with the id of its control. */
  problems?: readonly { id: string; text: string }[]
  ref?: Ref<HTMLDivElement>
}

/** Lists the problems and links to their fields. Announced when it appears; can take focus. */
export const ErrorSummary = ({ message, detail, problems = [], ref }: Props) => {
  const heading = fieldCountMessage(problems.length)
  const known = [`${heading}.`, ...problems.map(({ text }) => text)]
  return (
    <div className="box" role="alert" tabIndex={-1} ref={ref}>
      {problems.length > 0 && <h2>{heading}</h2>}
      {!known.includes(message) && <p className="what">{message}</p>}
      {problems.length > 0 && (
        <ul>
          {problems.map(({ id, text }) => (
            <li key={id}>
              <a href={`#${id}`} onClick={leadTo(id)}>
                {text}
              </a>
            </li>
          ))}
        </ul>
      )}
      {detail && <p className="soft">{detail}</p>}
    </div>
  )
}

// Focus set by script changes neither the URL nor the history.
const leadTo = (id: string) => (event: React.MouseEvent) => {
  const control = document.getElementById(id)
  if (!control) return
  event.preventDefault()
  control.focus()
}

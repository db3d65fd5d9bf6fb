import '#styles/plan.css'
import type { Ref } from 'react'
import { fieldCountMessage } from '#contract/error-messages.ts'

interface Props {
  /** What went wrong, in one sentence. */
  message: string
  /** What else the reader should know. */
  detail?: string | undefined
  /** Every refused field, with the id of its control. */
  problems?: readonly { id: string; sentence: string }[]
  ref?: Ref<HTMLDivElement>
}

/** Lists what was refused and links to it. Announced when it appears; can take focus. */
export const ErrorSummary = ({ message, detail, problems = [], ref }: Props) => {
  const heading = fieldCountMessage(problems.length)
  const known = [`${heading}.`, ...problems.map(({ sentence }) => sentence)]
  return (
    <div className="box" role="alert" tabIndex={-1} ref={ref}>
      {problems.length > 0 && <h2>{heading}</h2>}
      {!known.includes(message) && <p className="what">{message}</p>}
      {problems.length > 0 && (
        <ul>
          {problems.map(({ id, sentence }) => (
            <li key={id}>
              <a href={`#${id}`} onClick={leadTo(id)}>
                {sentence}
              </a>
            </li>
          ))}
        </ul>
      )}
      {detail && <p className="soft">{detail}</p>}
    </div>
  )
}

// Focus by script leaves no trace in the address or the history.
const leadTo = (id: string) => (event: React.MouseEvent) => {
  const control = document.getElementById(id)
  if (!control) return
  event.preventDefault()
  control.focus()
}

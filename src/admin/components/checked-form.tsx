import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { ApiError } from '#client/call.ts'
import { ErrorSummary } from '#ui/error-summary.tsx'
import { FieldProblems } from '#ui/field.tsx'
import { ownProblems } from '#ui/form/own-checks.ts'
import { isOutage, outageOf, sentenceOf } from '../session/session.ts'
import { FormError, missingFields, useFocusAt } from './form.tsx'

interface Props extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** The last refusal; a new one each time, so that the same message takes focus again. */
  error?: Error | null
  /** The sentence for a refusal without a message. */
  failed?: string
  /** The sentence for empty fields. */
  missing?: string
  /** Problems that the controls cannot see. */
  check?: (form: HTMLFormElement) => FormError | false | undefined
  /** Called instead of `onSend` while there is a problem. */
  onInvalid?: () => void
  onSend: (form: HTMLFormElement) => void
}

interface Refusal {
  message: string
  detail?: string | undefined
  problems: { id: string; text: string }[]
}

const problemsIn = (form: HTMLFormElement | null, fields: FormError['fields']) =>
  Object.entries(fields).flatMap(([name, texts]) => {
    const found = form?.elements.namedItem(name)
    const control = found instanceof RadioNodeList ? found[0] : found
    return control instanceof HTMLElement ? { id: control.id, text: texts.join(' ') } : []
  })

/** The server's error message; without an answer of its own, what to do. */
export const problemFrom = (error: unknown, fallback: string) => {
  if (error instanceof FormError) return { text: error.message }
  const text = sentenceOf(error, fallback)
  if (!isOutage(error)) return { text }
  const { cause, advice } = outageOf(error)
  return { text, advice: `The server ${cause}. ${advice}` }
}

/** A form that shows all its problems at once: in a summary with links, and at each field. */
export function CheckedForm({
  error = null,
  failed = '',
  missing = missingFields,
  check,
  onInvalid,
  onSend,
  children,
  ...form
}: Props) {
  const sent = useRef<HTMLFormElement>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const summary = useFocusAt<HTMLDivElement>(refusal)

  useEffect(() => {
    if (!error) return setRefusal(null)
    const fields = error instanceof ApiError || error instanceof FormError ? error.fields : {}
    const { text, advice } = problemFrom(error, failed)
    setRefusal({
      message: text,
      detail: advice,
      problems: problemsIn(sent.current, fields),
    })
  }, [error, failed])

  return (
    <form
      {...form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        sent.current = event.currentTarget
        const own = ownProblems(event.currentTarget)
        const wrong = check?.(event.currentTarget) || undefined
        const problems = problemsIn(event.currentTarget, {
          ...own.fields,
          ...wrong?.fields,
        })
        if (problems.length === 0 && !wrong) {
          setRefusal(null)
          return onSend(event.currentTarget)
        }
        const [first] = problems
        const isMissing = own.missing.some((name) => !wrong?.fields[name])
        setRefusal({
          message: isMissing ? missing : wrong ? wrong.message : (first?.text ?? ''),
          problems,
        })
        onInvalid?.()
      }}
    >
      {refusal && <ErrorSummary ref={summary} {...refusal} />}
      <FieldProblems
        value={Object.fromEntries(refusal?.problems.map(({ id, text }) => [id, [text]]) ?? [])}
      >
        {children}
      </FieldProblems>
    </form>
  )
}

import '#styles/form.css'
import { startTransition, useActionState, useEffect, useRef } from 'react'
import { ApiError } from '#client/call.ts'
import type { FieldErrors } from '#contract/http/errors.ts'
import type { Choice, FormDescription } from './description.ts'
import { attempted, refused } from './draft.ts'
import { FormFields, formId } from './form-fields.tsx'
import { Actions, Arrived, Refused, Waiting } from './form-states.tsx'
import { ownProblems } from './own-checks.ts'
import { readFields } from './read-fields.ts'
import { elapsed, type FormState, failureFrom, submit } from './submission.ts'
import { useDraft } from './use-draft.ts'
import { countBegun } from './visit.ts'

interface Props {
  description: FormDescription
  choice?: Choice | undefined
}

/** Automatic attempts without an answer, after which a waiting form stops. */
const maxTries = 5
const retryMs = 2_000

/**
 * A public form in all its states. Without its script it is a plain form that the server answers with
 * pages. The script keeps what is typed, sends it once even when pressed several times, and shows the
 * result.
 */
export const Form = ({ description, choice }: Props) => {
  const form = useRef<HTMLFormElement>(null)
  const outcome = useRef<HTMLDivElement>(null)
  const busy = useRef(false)
  /** Selector of the element to focus when the form can be edited again; null keeps the focus. */
  const focusNext = useRef<string | null>(null)
  const { kept, current, change, save, end } = useDraft(form, description)

  const send = async (before: FormState): Promise<FormState> => {
    const found: FieldErrors = form.current ? ownProblems(form.current).fields : {}
    const [first] = Object.values(found)
    if (first) {
      busy.current = false
      return { step: 'failed', failure: { message: first[0] ?? '', detail: '', fields: found } }
    }
    const elapsedMs = await elapsed()
    if (!form.current) return before
    const fields = readFields(form.current, description)
    try {
      save()
      const draft = attempted(current(), JSON.stringify(fields), elapsedMs)
      change(draft)
      const receipt = await submit(description, { fields, ...draft })
      end()
      const { preferredDate } = fields
      const day = typeof preferredDate === 'string' ? { preferredDate } : {}
      return { step: 'sent', receipt: { ...receipt, ...day } }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const tries = before.step === 'waiting' ? before.tries + 1 : 0
      if (error.code === 'network' && (!navigator.onLine || (tries > 0 && tries < maxTries)))
        return { step: 'waiting', tries }
      if (error.status >= 400 && error.status < 500)
        change(refused(current(), { keyTaken: error.code === 'conflict' }))
      return { step: 'failed', failure: failureFrom(error, description) }
    } finally {
      busy.current = false
    }
  }

  const [state, act, pending] = useActionState<FormState, 'send' | 'stop'>(
    (before, command) => {
      if (command === 'send') return send(before)
      return before.step === 'sent' ? before : { step: 'typing' }
    },
    { step: 'typing' },
  )

  const failure = state.step === 'failed' && !pending ? state.failure : null
  const news = state.step === 'failed' ? state.failure : state.step
  const toTop = description.sent.title !== undefined

  // The browser checks where the script is missing.
  useEffect(() => {
    if (form.current) form.current.noValidate = true
  }, [])

  useEffect(() => {
    if (news === 'typing') return
    if (news === 'sent' && toTop) scrollTo({ top: 0, behavior: 'instant' })
    outcome.current?.focus({ preventScroll: news === 'sent' && toTop })
  }, [news, toTop])

  // Waits for the action's end: while it runs, the button is disabled and cannot have focus.
  useEffect(() => {
    if (state.step !== 'typing' || !focusNext.current) return
    form.current?.querySelector<HTMLElement>(focusNext.current)?.focus()
    focusNext.current = null
  }, [state])

  useEffect(() => {
    if (state.step !== 'waiting') return
    const resend = () => form.current?.requestSubmit()
    const timer = navigator.onLine ? setTimeout(resend, retryMs * 2 ** state.tries) : undefined
    addEventListener('online', resend)
    return () => {
      clearTimeout(timer)
      removeEventListener('online', resend)
    }
  }, [state])

  if (state.step === 'sent')
    return (
      <div className="sendable">
        <Arrived ref={outcome} description={description} receipt={state.receipt} />
      </div>
    )

  const stop = (then: string) => {
    focusNext.current = then
    startTransition(() => act('stop'))
  }
  const clear = () => {
    form.current?.reset()
    // Parts beside a field follow its text.
    for (const control of form.current?.elements ?? [])
      control.dispatchEvent(new Event('input', { bubbles: true }))
    end()
    stop('.form-grid :is(input:not([type=hidden]), textarea)')
  }

  const trouble =
    state.step === 'waiting' ? (
      <Waiting ref={outcome} onStop={() => stop('[type=submit]')} />
    ) : (
      failure && <Refused ref={outcome} description={description} failure={failure} />
    )

  return (
    <div className="sendable">
      {description.failures === 'above' && trouble}
      <form
        ref={form}
        id={formId(description.kind)}
        action={description.route.path}
        method="post"
        aria-label={description.name}
        onInput={({ nativeEvent }) => {
          // A restored draft was begun before.
          if (nativeEvent.isTrusted) countBegun()
          save()
          if (state.step === 'waiting' && !pending) startTransition(() => act('stop'))
        }}
        onSubmit={(event) => {
          event.preventDefault()
          if (busy.current) return
          busy.current = true
          startTransition(() => act('send'))
        }}
      >
        <FormFields description={description} choice={choice} errors={failure?.fields ?? {}} />
        <Actions description={description} pending={pending} kept={kept} onClear={clear} />
      </form>
      {description.failures === 'below' && trouble}
    </div>
  )
}

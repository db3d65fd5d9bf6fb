import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { moneyText, totalsOf } from '#contract/offers/money.ts'
import type { Offer } from '#contract/offers/offer.ts'
import { Field } from '#ui/field.tsx'
import { Button, LinkButton } from '../components/button.tsx'
import { CheckedForm } from '../components/checked-form.tsx'
import { Conflict, storedIn } from '../components/conflict.tsx'
import { FormError, Options } from '../components/form.tsx'
import { timeOf } from '../format/dates.ts'
import { type ConsultationDetail, firstNameOf } from '../record/record.ts'
import { isGone } from '../session/session.ts'
import { amountProblem } from './amount.ts'
import { dayText, OfferDocument, type ShownOffer, Totals } from './document.tsx'
import { LineRow } from './line-row.tsx'
import styles from './offers.module.css'
import { newestOfferQuery } from './queries.ts'
import { useOfferDraft } from './use-offer-draft.ts'
import { emptyLine, inDays, type Line, type Values } from './values.ts'

/** The draft of an offer; a new one begins with the service asked for and the terms of the newest offer. */
export function Editor(props: EditorProps) {
  const newest = useQuery({ ...newestOfferQuery, enabled: props.offer === null })
  if (props.offer === null && newest.isPending) return <p role="status">Loading...</p>
  return <Draft {...props} newest={newest.data ?? null} />
}

interface EditorProps {
  record: ConsultationDetail
  offer: Offer | null
  /** Set once a colleague has sent or deleted the draft: its text can be stored as a new one. */
  lost: 'sent' | 'deleted' | null
  /** A new offer is stored: from now on it is the draft with this id. */
  onStored: (id: string) => void
}

function Draft({ record, offer, lost, newest, onStored }: EditorProps & { newest: Offer | null }) {
  const draft = useOfferDraft(record, offer, newest, lost !== null)
  const { stored, savedAt, typed, values, lines, terms, set, save, send, remove, clash } = draft
  /** True if the offer is sent, false if its draft is saved. */
  const isLeaving = useRef(false)
  const [added, setAdded] = useState<number>()
  const problem = send.error ?? save.error
  /** True if the sentence about the lost draft says it. */
  const isSaid = lost !== null && (isGone(problem) || storedIn(problem) !== undefined)
  const isTyped = Object.keys(typed).some((name) => name !== 'message')
  const bind = (name: Exclude<keyof Values, 'lines'>) => ({
    id: name,
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  })
  const changeLine = (id: number, given: Partial<Line>) =>
    set({ lines: values.lines.map((line) => (line.id === id ? { ...line, ...given } : line)) })

  const checkAmounts = () => {
    const wrong = lines.flatMap(({ id, amount }, index) => {
      const problem = amountProblem(amount, values.currency)
      return problem ? [[`amount-${id}`, [`Line ${index + 1}: ${problem}`]] as const] : []
    })
    return wrong.length > 0 && new FormError('Please check the amounts.', Object.fromEntries(wrong))
  }
  const currencies = [...new Set([values.currency, ...Intl.supportedValuesOf('currency')])]

  return (
    <div className={styles.desk}>
      <CheckedForm
        className={styles.editor}
        aria-label="Offer"
        error={clash || isSaid ? null : problem}
        failed="The offer was not saved. Please try again."
        check={checkAmounts}
        onSend={() => {
          if (isLeaving.current) send.mutate()
          // Runs only while this form is mounted: somebody who has left is not called back.
          else if (!send.isPending)
            save.mutate(undefined, {
              onSuccess: ({ _id }) => {
                if (_id !== offer?._id) onStored(_id)
              },
            })
        }}
      >
        <p className="soft" role="status">
          {lost && (
            <b>A colleague has {lost} this draft. Your text can be saved as a new offer. </b>
          )}
          {isTyped
            ? 'Not saved yet. Your text is kept in this tab.'
            : `Draft${savedAt ? `, saved ${timeOf(savedAt)}` : ''}. Only staff see it.`}
        </p>
        <div className="form-grid">
          <Field {...bind('title')} label="Title" maxLength={limits.offer.title} />
          <Field {...bind('text')} label="Text" long dir="auto" maxLength={limits.offer.text} />
        </div>
        <fieldset className={styles.lines}>
          <legend>Lines</legend>
          {lines.map((line, index) => (
            <LineRow
              key={line.id}
              line={line}
              isAdded={line.id === added}
              nth={index + 1}
              onChange={(given) => changeLine(line.id, given)}
              onRemove={
                lines.length > 1
                  ? () => set({ lines: values.lines.filter(({ id }) => id !== line.id) })
                  : null
              }
            />
          ))}
          {lines.length < limits.offer.lines && (
            <Button
              look="line"
              onClick={() => {
                const id = Math.max(...lines.map((line) => line.id)) + 1
                setAdded(id)
                set({ lines: [...values.lines, { ...emptyLine, id }] })
              }}
            >
              Add a line
            </Button>
          )}
        </fieldset>
        <div aria-live="polite">
          <Totals totals={totalsOf(terms.lines)} currency={values.currency} />
        </div>
        <div className="form-grid">
          <Field id="currency" label="Currency" third>
            <select {...bind('currency')}>
              <Options values={currencies} />
            </select>
          </Field>
          <Field {...bind('validUntil')} label="Valid until" type="date" third min={inDays(0)} />
          <Field {...bind('startsOn')} label="Starts on" type="date" third optional />
          <Field
            {...bind('terms')}
            label="Terms"
            hint={!stored && newest?.terms ? 'Kept from the last offer.' : undefined}
            long
            optional
            dir="auto"
            maxLength={limits.offer.terms}
          />
          <Field
            {...bind('message')}
            label="Message that goes with it"
            long
            dir="auto"
            maxLength={limits.staffMessage}
          />
        </div>
        <div className={`wrapping-row ${styles.foot}`}>
          {/* It submits by its click alone: Enter in a field presses the next button, which saves. */}
          <Button
            busy={send.isPending && 'Sending...'}
            onClick={({ currentTarget }) => {
              isLeaving.current = true
              currentTarget.form?.requestSubmit()
            }}
          >
            Send to {firstNameOf(record)}
          </Button>
          <Button
            type="submit"
            look="line"
            busy={save.isPending && 'Saving...'}
            onClick={() => {
              isLeaving.current = false
            }}
          >
            Save the draft
          </Button>
          {stored && !lost && (
            <LinkButton busy={remove.isPending} onClick={() => remove.mutate()}>
              Delete draft
            </LinkButton>
          )}
          {Object.keys(typed).length > 0 && (
            <LinkButton onClick={draft.discard}>Discard changes</LinkButton>
          )}
          <span className="secondary">
            A sent offer can’t be changed. You can replace it with a new one.
          </span>
        </div>
      </CheckedForm>
      {clash && (
        // Somebody else has changed the draft meanwhile.
        <Conflict
          name={clash.stored.title}
          sides={textsOf(clash.stored).map(([name, text], at) => [
            name,
            text,
            textsOf(terms)[at]?.[1] ?? '',
          ])}
          {...clash.choice}
        />
      )}
      <div className={styles.preview}>
        <p>As {firstNameOf(record)} sees it</p>
        <OfferDocument
          offer={{ ...terms, lines: terms.lines.filter(({ label, amount }) => label || amount) }}
          name={record.name}
        />
      </div>
    </div>
  )
}

/** The fields of an offer as a conflict shows them. */
const textsOf = ({ title, text, lines, currency, startsOn, validUntil, terms }: ShownOffer) =>
  [
    ['Title', title],
    ['Text', text],
    [
      'Lines',
      lines
        .map(
          ({ label, amount, per }) =>
            `${label}: ${moneyText(amount, currency)}${per === 'month' ? ' a month' : ''}`,
        )
        .join('; '),
    ],
    ['Valid until', dayText(validUntil)],
    ['Starts on', dayText(startsOn ?? '')],
    ['Terms', terms],
  ] as const

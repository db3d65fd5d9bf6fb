import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { digitsOf, totalsOf } from '#contract/offers/money.ts'
import type { Offer } from '#contract/offers/offer.ts'
import {
  changeOffer,
  deleteOffer,
  draftOffer,
  type OfferTerms,
  sendOffer,
} from '#contract/offers/offers.ts'
import { Field } from '#ui/field.tsx'
import { useKeyFor } from '../browser/use-key-for.ts'
import { messagePatch, savedMessage } from '../changes/edits.ts'
import { makeChange } from '../changes/make-change.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { CheckedForm } from '../components/checked-form.tsx'
import { FormError, Options } from '../components/form.tsx'
import { timeOf } from '../format/dates.ts'
import { draftKey, readForm, useKeptForm } from '../record/composer/drafts.ts'
import { consultationsView } from '../record/kinds/consultations.ts'
import { type ConsultationDetail, firstNameOf } from '../record/record.ts'
import { navigate } from '../router/location.ts'
import { useProfile } from '../session/profile.ts'
import { ask, isGone } from '../session/session.ts'
import { notify } from '../shell/notices.tsx'
import { useAction } from '../shell/use-action.ts'
import { amountProblem, readAmount } from './amount.ts'
import { OfferDocument, Totals } from './document.tsx'
import { LineRow } from './line-row.tsx'
import styles from './offers.module.css'
import { newestOfferQuery, refreshOffers } from './queries.ts'
import { emptyLine, inDays, keepTyped, type Line, type Values, valuesOf } from './values.ts'

/** The draft of an offer; a new one begins with the service asked for and the terms of the newest offer. */
export function Editor(props: EditorProps) {
  const newest = useQuery({ ...newestOfferQuery, enabled: props.offer === null })
  if (props.offer === null && newest.isPending) return <p role="status">Loading...</p>
  return <Draft {...props} newest={newest.data ?? null} />
}

interface EditorProps {
  record: ConsultationDetail
  offer: Offer | null
  /** A new offer is stored: from now on it is the draft with this id. */
  onStored: (id: string) => void
}

function Draft({ record, offer, newest, onStored }: EditorProps & { newest: Offer | null }) {
  const { id: user, username } = useProfile()
  const { keyFor } = useKeyFor()
  /** True if the offer is sent, false if its draft is saved. */
  const isLeaving = useRef(false)
  const [stored, setStored] = useState(offer)
  const [savedAt, setSavedAt] = useState<Date | null>(null)
  /** The fields as they are stored, or as a new offer begins. */
  const [begun, setBegun] = useState(() => valuesOf(record, offer, newest))
  const draft = draftKey('offer', user, stored?._id ?? record._id)
  const [kept] = useKeptForm<Partial<Values>>(draft)
  const [added, setAdded] = useState<number>()
  const typed = kept ?? {}
  const isTyped = Object.keys(typed).some((name) => name !== 'message')
  const values = { ...begun, ...typed }
  const { lines } = values
  const digits = digitsOf(values.currency)
  const set = (change: Partial<Values>) => keepTyped(draft, { ...typed, ...change })
  const bind = (name: Exclude<keyof Values, 'lines'>) => ({
    id: name,
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  })
  const changeLine = (id: number, given: Partial<Line>) =>
    set({ lines: lines.map((line) => (line.id === id ? { ...line, ...given } : line)) })

  const read = lines.map((line) => ({ ...line, units: readAmount(line.amount, digits) }))
  const terms: OfferTerms = {
    ...values,
    startsOn: values.startsOn || undefined,
    lines: read.map(({ label, units, per }) => ({ label, amount: units ?? 0, per })),
  }

  /** Stores what is typed; the draft as it is stored. */
  const store = async (): Promise<Offer> => {
    const { title, text, currency, validUntil, terms: conditions } = values
    const body = { title, text, currency, validUntil, terms: conditions, lines: terms.lines }
    const { data } = stored
      ? await ask(
          changeOffer,
          {
            params: { id: stored._id },
            body: { ...body, startsOn: values.startsOn || null, version: stored.version },
          },
          { idempotencyKey: keyFor([body, values.startsOn, stored.version]) },
        )
      : await ask(
          draftOffer,
          { params: { id: record._id }, body: { ...body, startsOn: values.startsOn } },
          { idempotencyKey: keyFor([body, values.startsOn]) },
        )
    // The server has neither the message nor text typed during the call: both stay in the tab.
    const left = Object.entries(readForm<Partial<Values>>(draft) ?? {}).filter(
      ([name, value]) =>
        name === 'message' ||
        JSON.stringify(value) !== JSON.stringify(values[name as keyof Values]),
    )
    keepTyped(draft, {})
    keepTyped(draftKey('offer', user, data._id), Object.fromEntries(left))
    setStored(data)
    setBegun({ ...values, message: begun.message })
    setSavedAt(new Date())
    return data
  }

  const save = useMutation({
    mutationFn: store,
    onSuccess: () => void refreshOffers(record._id),
  })
  // Replace the entry of a new offer, so that Back does not open an empty form.
  const leave = () =>
    navigate(
      { to: '/admin/consultations', search: { id: record._id } },
      { replace: stored === null },
    )
  const send = useMutation({
    mutationFn: async () => {
      const { _id: id, version } = await store()
      await refreshOffers(record._id)
      makeChange({
        kind: 'consultations',
        edits: [{ record, patch: messagePatch(consultationsView, record, undefined, username) }],
        text: `Offer to ${record.name}`,
        failure: 'It could not be stored.',
        message: values.message,
        isLong: true,
        save: async ({ key }) => {
          const { meta } = await ask(
            sendOffer,
            { params: { id }, body: { text: values.message, version } },
            { idempotencyKey: key },
          )
          keepTyped(draftKey('offer', user, id), {})
          return savedMessage('consultations', record._id, meta)
        },
        onRefused: (sentence, error) =>
          notify({
            text: `The offer to ${record.name} was not sent. ${isGone(error) ? 'It does not exist any more.' : sentence}`,
            tone: 'bad',
          }),
        // The offer that replaces this one takes the message.
        onUndone: () => {
          const { message } = typed
          if (message) keepTyped(draftKey('offer', user, id), { message })
        },
        onEnd: () => void refreshOffers(record._id),
      })
      await leave()
    },
  })
  const remove = useAction(async () => {
    if (stored) {
      const { _id: id, version } = stored
      await ask(deleteOffer, { params: { id }, body: { version } })
    }
    keepTyped(draft, {})
    await refreshOffers(record._id)
    notify({ text: 'The draft is deleted.' })
    await leave()
  }, 'The draft was not deleted.')

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
        error={send.error ?? save.error}
        failed="The offer was not saved. Please try again."
        check={checkAmounts}
        onSend={() => {
          if (isLeaving.current) send.mutate()
          // Runs only while this form is mounted: somebody who has left is not called back.
          else if (!send.isPending)
            save.mutate(undefined, { onSuccess: ({ _id }) => onStored(_id) })
        }}
      >
        <p className="soft" role="status">
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
          {read.map((line, index) => (
            <LineRow
              key={line.id}
              line={line}
              isAdded={line.id === added}
              nth={index + 1}
              onChange={(given) => changeLine(line.id, given)}
              onRemove={
                lines.length > 1
                  ? () => set({ lines: lines.filter(({ id }) => id !== line.id) })
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
                set({ lines: [...lines, { ...emptyLine, id }] })
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
          {stored && (
            <LinkButton busy={remove.isPending} onClick={() => remove.mutate()}>
              Delete draft
            </LinkButton>
          )}
          {Object.keys(typed).length > 0 && (
            <LinkButton
              onClick={() => {
                keepTyped(draft, {})
                void leave()
              }}
            >
              Discard changes
            </LinkButton>
          )}
          <span className="secondary">
            A sent offer can’t be changed. You can replace it with a new one.
          </span>
        </div>
      </CheckedForm>
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

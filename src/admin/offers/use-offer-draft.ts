import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { newKey } from '#client/idempotency-key.ts'
import { digitsOf } from '#contract/offers/money.ts'
import type { Offer } from '#contract/offers/offer.ts'
import {
  changeOffer,
  deleteOffer,
  draftOffer,
  type OfferTerms,
  sendOffer,
} from '#contract/offers/offers.ts'
import { useKeyFor } from '../browser/use-key-for.ts'
import { messagePatch, savedMessage } from '../changes/edits.ts'
import { makeChange } from '../changes/make-change.ts'
import { storedIn } from '../components/conflict.tsx'
import { draftKey, readForm, useKeptForm } from '../record/composer/drafts.ts'
import { consultationsView } from '../record/kinds/consultations.ts'
import type { ConsultationDetail } from '../record/record.ts'
import { navigate } from '../router/location.ts'
import { useProfile } from '../session/profile.ts'
import { ask, isGone, isOutage } from '../session/session.ts'
import { notify, useAction } from '../shell/notices.tsx'
import { readAmount } from './amount.ts'
import { refreshOffers } from './queries.ts'
import { keepTyped, type Values, valuesOf } from './values.ts'

/** The draft of an offer: as it is stored, as it is typed, and what becomes of it. */
export const useOfferDraft = (
  record: ConsultationDetail,
  offer: Offer | null,
  newest: Offer | null,
  isLost: boolean,
) => {
  const { id: user, username } = useProfile()
  const { keyFor } = useKeyFor()
  const [stored, setStored] = useState(offer)
  const [savedAt, setSavedAt] = useState<Date | null>(null)
  /** The fields as they are stored, or as a new offer begins. */
  const [begun, setBegun] = useState(() => valuesOf(record, offer, newest))
  /** The first save of a new draft, until all of it is answered. */
  const unanswered = useRef<{ first: OfferTerms; key: string } | null>(null)
  const [isClashing, setClashing] = useState(false)
  const draft = draftKey('offer', user, stored?._id ?? record._id)
  const [kept] = useKeptForm<Partial<Values>>(draft)
  const typed = kept ?? {}
  const values = { ...begun, ...typed }
  const digits = digitsOf(values.currency)
  const set = (change: Partial<Values>) => keepTyped(draft, { ...typed, ...change })

  const lines = values.lines.map((line) => ({ ...line, units: readAmount(line.amount, digits) }))
  const terms: OfferTerms = {
    ...values,
    startsOn: values.startsOn || undefined,
    lines: lines.map(({ label, units, per }) => ({ label, amount: units ?? 0, per })),
  }

  const change = async ({ _id: id, version }: Offer, body: OfferTerms): Promise<Offer> => {
    const { data } = await ask(
      changeOffer,
      { params: { id }, body: { ...body, startsOn: values.startsOn || null, version } },
      { idempotencyKey: keyFor([body, version]) },
    )
    return data
  }

  /** Repeats a first save whose answer was lost before it changes that: other fields make a second draft. */
  const create = async (body: OfferTerms): Promise<Offer> => {
    unanswered.current ??= { first: body, key: newKey() }
    const { first, key } = unanswered.current
    const { data } = await ask(
      draftOffer,
      { params: { id: record._id }, body: first },
      { idempotencyKey: key },
    ).catch((error: unknown) => {
      if (!isOutage(error)) unanswered.current = null
      throw error
    })
    const isSame = JSON.stringify(first) === JSON.stringify(body)
    const created = isSame ? data : await change(data, body)
    unanswered.current = null
    return created
  }

  /** Stores what is typed; the draft as it is stored. */
  const store = async (): Promise<Offer> => {
    const { message: _, ...fields } = values
    const body = { ...fields, lines: terms.lines }
    const data = await (stored && !isLost ? change(stored, body) : create(body))
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

  /** Goes on from the draft as somebody else has stored it meanwhile, with what is typed here. */
  const rebase = (error: unknown): boolean => {
    const newer = storedIn<Offer>(error)
    if (newer?.state !== 'draft') return false
    unanswered.current = null
    setStored(newer)
    setBegun(valuesOf(record, newer, newest))
    return true
  }
  const onError = (error: Error) => {
    setClashing(rebase(error))
    // A draft that is sent or deleted shows as such.
    void refreshOffers(record._id)
  }

  const save = useMutation({
    mutationFn: store,
    onError,
    onSuccess: () => void refreshOffers(record._id),
  })
  // Replace the entry of a new offer, so that Back does not open an empty form.
  const leave = () =>
    navigate(
      { to: '/admin/consultations', search: { id: record._id } },
      { replace: stored === null },
    )
  const send = useMutation({
    onError,
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
      await ask(deleteOffer, { params: { id }, body: { version } }).catch((error: unknown) => {
        rebase(error)
        // A colleague may have been quicker.
        if (!isGone(error)) throw error
      })
    }
    keepTyped(draft, {})
    await refreshOffers(record._id)
    notify({ text: 'The draft is deleted.' })
    await leave()
  }, 'The draft was not deleted.')
  const discard = () => {
    keepTyped(draft, {})
    void leave()
  }
  const endClash = () => {
    setClashing(false)
    save.reset()
    send.reset()
  }
  const choice = {
    onKeep: () => {
      endClash()
      // The message is stored nowhere else.
      keepTyped(draft, typed.message === undefined ? {} : { message: typed.message })
    },
    onSave: () => {
      endClash()
      save.mutate()
    },
    onClose: endClash,
  }
  const clash = isClashing && stored && { stored, choice }

  return { stored, savedAt, typed, values, lines, terms, set, save, send, remove, discard, clash }
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { totalsText } from '#contract/offers/money.ts'
import { type Offer, type OfferState, offerStates } from '#contract/offers/offer.ts'
import { deleteOffer, findOffer, listOffers, replaceOffer } from '#contract/offers/offers.ts'
import { focus } from '../browser/focus.ts'
import { useKeyFor } from '../browser/use-key-for.ts'
import { Button } from '../components/button.tsx'
import { Confirm } from '../components/dialog.tsx'
import { Empty } from '../components/empty.tsx'
import { Options } from '../components/form.tsx'
import { byCursor, LoadState, ShowMore } from '../components/load-states.tsx'
import panel from '../components/panel.module.css'
import { Table } from '../components/table.tsx'
import { TextLink } from '../components/text-link.tsx'
import { When } from '../components/when.tsx'
import { draftKey, keepForm, readForm, useKeptForm } from '../record/composer/drafts.ts'
import { detailQuery } from '../record/read-record.ts'
import { isConsultation } from '../record/record.ts'
import { Link } from '../router/link.tsx'
import { navigate, parametersOf, useLocation } from '../router/location.ts'
import { useParameter } from '../router/use-parameter.ts'
import { useMay, useProfile } from '../session/profile.ts'
import { dataQuery, queryClient } from '../session/query-client.ts'
import { ask, askOnce, isGone } from '../session/session.ts'
import { notify, useAction } from '../shell/notices.tsx'
import { OfferDocument } from './document.tsx'
import { Editor } from './editor.tsx'
import styles from './offers.module.css'
import { offersKey, refreshOffers } from './queries.ts'
import { standingOf, stateLabels } from './states.ts'

/** All offers, or one: `?record=` names its consultation, `?offer=` the one that is there. */
export function Offers() {
  const { record, offer } = parametersOf(useLocation(({ search }) => search))
  /** The draft that a form has stored as a new one: its address changes, its form stays. */
  const [own, setOwn] = useState<{ id: string; key: string }>()
  if (!record) return <OfferList />
  const isOwn = offer !== undefined && offer === own?.id
  const key = isOwn ? own.key : `${record} ${offer}`
  return (
    <OfferOf
      key={key}
      id={record}
      offerId={offer}
      isOwn={isOwn}
      onStored={(id) => {
        setOwn({ id, key })
        const search = { record, offer: id }
        void navigate({ to: '/admin/offers', search }, { replace: true, keepScroll: true })
      }}
    />
  )
}

function OfferList() {
  const { days } = parametersOf(useLocation(({ search }) => search))
  const [chosen, choose] = useParameter('state', ['', ...offerStates], '')
  const state = chosen || undefined
  const filter = { state, days }
  const list = useInfiniteQuery({
    queryKey: [...offersKey, 'list', filter],
    queryFn: ({ pageParam }) => ask(listOffers, { query: { ...filter, cursor: pageParam } }),
    ...byCursor,
    placeholderData: (previous) => previous,
  })
  const { data } = list
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  const counts = data?.pages[0]?.meta.counts
  return (
    <>
      <h1>Offers</h1>
      <label className={styles.filter}>
        State{' '}
        <select value={chosen} onChange={({ target }) => choose(target.value as OfferState | '')}>
          <option value="">All</option>
          <Options
            values={offerStates.map((one) => [
              one,
              counts ? `${stateLabels[one]} (${counts[one] ?? 0})` : stateLabels[one],
            ])}
          />
        </select>
      </label>
      {days && (
        <p>
          Sent in the last {days} days.{' '}
          <TextLink to="/admin/offers" search={{ state }}>
            Show all
          </TextLink>
        </p>
      )}
      <div className={panel.state}>
        <LoadState query={list} failed="Failed to load the offers. Please try again." />
        {data && rows.length === 0 && <NoOffers state={state} days={days} />}
      </div>
      <Table
        columns={[
          [
            'Offer',
            ({ _id, title, record }) => (
              <Link to="/admin/offers" search={{ record: record._id, offer: _id }}>
                <bdi>{title}</bdi>
              </Link>
            ),
          ],
          ['For', ({ name }) => <bdi>{name}</bdi>],
          ['Value', ({ totals, currency }) => totalsText(totals, currency)],
          ['State', (offer) => standingOf(offer)],
          ['Sent', ({ sentAt }) => (sentAt ? <When at={sentAt} /> : 'Not sent')],
        ]}
        rows={rows}
      />
      <ShowMore label="Show more" query={list} />
    </>
  )
}

function NoOffers({ state, days }: { state: OfferState | undefined; days: string | undefined }) {
  const mayChange = useMay('records.change')
  if (state) return <Empty text={`No offer is ${stateLabels[state].toLowerCase()}`} />
  if (days) return <Empty text="No offer was sent in that time" />
  return (
    <Empty text="No offers yet">
      {mayChange
        ? 'Write one in a consultation: Offer a price.'
        : 'Editors write them in a consultation.'}
    </Empty>
  )
}

interface OfferOfProps {
  id: string
  offerId: string | undefined
  isOwn: boolean
  onStored: (id: string) => void
}

function OfferOf({ id, offerId, isOwn, onStored }: OfferOfProps) {
  const mayChange = useMay('records.change')
  const { id: user } = useProfile()
  const [typed] = useKeptForm(draftKey('offer', user, offerId ?? id))
  const [draft, setDraft] = useState<Offer>()
  const [lost, setLost] = useState<string>()
  const query = useQuery(detailQuery('consultations', id))
  const { data } = query
  if (offerId && isGone(query.error)) return <KeptOffer id={offerId} />
  if (query.error && !data)
    return <LoadState query={query} failed="Failed to load the consultation. Please try again." />
  if (!data || !isConsultation(data)) return <p role="status">Loading...</p>
  const offer = data.offers.find(({ _id }) => _id === offerId)
  const isSent = offer !== undefined && offer.state !== 'draft'
  if (offer && !isSent && offer !== draft) setDraft(offer)
  // A colleague has sent or deleted the draft: what is typed stays in the form, and can be stored.
  // The message is stored nowhere else, so that it is there without a change of the offer.
  const isTyped =
    Object.keys(typed ?? {}).some((name) => name !== 'message') && draft?._id === offerId
  if (isTyped && lost !== offerId && (!offer || isSent)) setLost(offerId)
  const isLost = mayChange && offerId !== undefined && lost === offerId
  return (
    <>
      <p className={styles.name}>
        <TextLink to="/admin/consultations" search={{ id }}>
          <span>
            Back to <bdi>{data.name}</bdi>
          </span>
        </TextLink>
      </p>
      {/* The link to this screen is gone: it would leave the focus on the page. */}
      <h1 className={styles.title} tabIndex={-1} ref={focus}>
        {isSent && !isLost ? 'Offer' : 'Offer a price'}
      </h1>
      {isSent && !isLost ? (
        <Sent name={data.name} offer={offer} preview={`As ${data.name} reads it`}>
          {mayChange && <Replace record={data._id} offer={offer} />}
        </Sent>
      ) : offerId && !offer && !isOwn && !isLost ? (
        <Empty text="This offer does not exist any more">
          It may have been deleted as a draft.
        </Empty>
      ) : mayChange ? (
        <Editor
          record={data}
          offer={offer ?? draft ?? null}
          lost={isLost ? (offer ? 'sent' : 'deleted') : null}
          onStored={onStored}
        />
      ) : (
        <Empty text="Only editors can write offers">Ask an editor.</Empty>
      )}
    </>
  )
}

/** An accepted offer that was kept when its sender erased the request. */
function KeptOffer({ id }: { id: string }) {
  const mayDelete = useMay('privacy.manage')
  const [isAsking, setAsking] = useState(false)
  const query = useQuery(dataQuery([...offersKey, id], findOffer, { params: { id } }))
  const { data } = query
  const remove = useAction(async () => {
    await askOnce(deleteOffer, { params: { id }, body: {} }).catch((error: unknown) => {
      // A colleague may have been quicker.
      if (!isGone(error)) throw error
    })
    notify({ text: 'The offer is deleted.' })
    await navigate({ to: '/admin/offers' })
    await queryClient.invalidateQueries({ queryKey: offersKey })
  }, 'The offer was not deleted.')
  if (isGone(query.error))
    return <Empty text="This offer does not exist any more">Its request was erased.</Empty>
  if (!data) return <LoadState query={query} failed="Failed to load the offer. Please try again." />
  return (
    <>
      <p className={styles.name}>
        <TextLink to="/admin/offers">Back to offers</TextLink>
      </p>
      <h1 className={styles.title} tabIndex={-1} ref={focus}>
        Offer
      </h1>
      <Sent name={data.name} offer={data} preview={`As ${data.name} read it`}>
        <p>The sender has erased the request. This accepted offer was kept.</p>
        {mayDelete && (
          <div className={`wrapping-row ${styles.foot}`}>
            <Button
              look="line danger"
              busy={remove.isPending && 'Deleting...'}
              onClick={() => setAsking(true)}
            >
              Delete the offer
            </Button>
          </div>
        )}
      </Sent>
      {isAsking && (
        <Confirm
          title="Delete offer"
          question="Delete what was accepted?"
          note="Its text, the name and the time are gone for good."
          action="Delete"
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

interface SentProps {
  name: string
  offer: Offer
  /** The line above the offer as the sender's page shows it. */
  preview: string
  children: ReactNode
}

/** An offer that has been sent: its text is fixed. */
function Sent({ name, offer, preview, children }: SentProps) {
  const isOver = ['declined', 'expired', 'replaced', 'recalled'].includes(offer.state)
  return (
    <div className={styles.desk}>
      <div className={styles.editor}>
        <p className={styles.sums}>{totalsText(offer.totals, offer.currency)}</p>
        <p>
          <b>{stateLabels[offer.state]}.</b> {standingOf(offer)}.
        </p>
        {offer.sentAt && (
          <p>
            Sent <When at={offer.sentAt} /> by {offer.by ?? 'a deleted account'}.
          </p>
        )}
        {offer.answer?.text && (
          <blockquote className="typed" dir="auto">
            {offer.answer.text}
          </blockquote>
        )}
        <p className="secondary">This text is fixed. Its SHA-256 is</p>
        <p className={styles.hash}>{offer.hash}</p>
        {children}
      </div>
      <div className={styles.preview}>
        <p>{preview}</p>
        <OfferDocument offer={offer} name={name} isOver={isOver} />
      </div>
    </div>
  )
}

/** Begins a new offer with the terms of this one. */
function Replace({ record, offer }: { record: string; offer: Offer }) {
  const { id: user } = useProfile()
  const { keyFor } = useKeyFor()
  const replace = useAction(async () => {
    const { data } = await ask(
      replaceOffer,
      { params: { id: offer._id } },
      { idempotencyKey: keyFor(offer._id) },
    )
    const undone = draftKey('offer', user, offer._id)
    keepForm(draftKey('offer', user, data._id), readForm(undone))
    keepForm(undone, null)
    await refreshOffers(record)
    await navigate({ to: '/admin/offers', search: { record, offer: data._id } })
  }, 'The offer was not replaced.')
  return (
    <div className={`wrapping-row ${styles.foot}`}>
      <Button look="line" busy={replace.isPending && 'Copying...'} onClick={() => replace.mutate()}>
        Replace with a new offer
      </Button>
    </div>
  )
}

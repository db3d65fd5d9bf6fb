import { consultations } from '#contract/consultations.ts'
import { totalsText } from '#contract/offers/money.ts'
import { LinkButton } from '../components/button.tsx'
import { TextLink } from '../components/text-link.tsx'
import { keys } from '../record/keys.ts'
import type { ConsultationDetail } from '../record/record.ts'
import { useMay } from '../session/profile.ts'
import { queryClient } from '../session/query-client.ts'
import { ask } from '../session/session.ts'
import { notify, useAction } from '../shell/notices.tsx'
import styles from './offers.module.css'
import { standingOf } from './states.ts'

/** The offers of a consultation, and whether what was accepted outlives the sender's erasure. */
export function RecordOffers({ record }: { record: ConsultationDetail }) {
  const mayKeep = useMay('privacy.manage')
  const isKept = record.expiresAt === null
  const keep = useAction(async () => {
    await ask(consultations.change, { params: { id: record._id }, body: { keep: !isKept } })
    notify({
      text: isKept
        ? 'The accepted offer goes with the record.'
        : 'The accepted offer stays if the sender erases the rest.',
    })
    await queryClient.invalidateQueries({ queryKey: keys.detail('consultations', record._id) })
  }, 'That was not saved.')
  const hasAccepted = record.offers.some(({ state }) => state === 'accepted')
  return (
    <section aria-label="Offers" className={styles.offers}>
      <ul>
        {record.offers.map((offer) => (
          <li key={offer._id} data-state={offer.state}>
            <TextLink to="/admin/offers" search={{ record: record._id, offer: offer._id }}>
              <bdi>{offer.title}</bdi>
            </TextLink>{' '}
            <span>{totalsText(offer.totals, offer.currency)}</span>{' '}
            <span className="secondary">{standingOf(offer)}</span>
          </li>
        ))}
      </ul>
      {hasAccepted && mayKeep && (
        <p className="secondary">
          {isKept
            ? 'What was accepted is kept, also if the sender erases the request.'
            : 'If the sender erases the request, what was accepted goes too.'}{' '}
          <LinkButton busy={keep.isPending} onClick={() => keep.mutate()}>
            {isKept ? 'Keep it no longer' : 'Keep what was accepted'}
          </LinkButton>
        </p>
      )}
    </section>
  )
}

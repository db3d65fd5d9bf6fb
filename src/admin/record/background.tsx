import { anyKind } from '#contract/kinds.ts'
import { savedOf } from '../changes/edits.ts'
import { makeChange } from '../changes/make-change.ts'
import { LinkButton } from '../components/button.tsx'
import { When } from '../components/when.tsx'
import { dateOf } from '../format/dates.ts'
import { ask } from '../session/session.ts'
import { blind } from './blind.ts'
import type { KindView, OpenRecord } from './kinds/kind-view.ts'
import styles from './record.module.css'
import { isConsultation, type RecordDetail } from './record.ts'

interface Extras {
  source?: Record<string, string | undefined> | null
  consent?: { at: string; terms: string } | null
}

const sourceLabels: Record<string, string> = {
  referrer: 'Came from',
  landingPage: 'Landed on',
  utm_source: 'Source',
  utm_medium: 'Medium',
  utm_campaign: 'Campaign',
  timeZone: 'Time zone',
}

interface Props extends OpenRecord {
  mayKeep: boolean
}

/** The record's origin, its sender's consent, and its end. */
export function Background({ record, mayKeep, view }: Props) {
  const { source, consent } = record as RecordDetail & Extras
  const rows = Object.entries(source ?? {}).filter(([, value]) => value)
  // The button beside its offers says what becomes of an accepted one.
  const hasAccepted =
    isConsultation(record) && record.offers.some(({ state }) => state === 'accepted')
  return (
    <details className={styles.background}>
      <summary className="secondary">Background</summary>
      <dl className={styles.facts}>
        {rows.map(([key, value]) => (
          <div key={key}>
            <dt className="caption">{sourceLabels[key] ?? key}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {consent !== undefined && (
          <div>
            <dt className="caption">Terms</dt>
            <dd>
              {consent ? (
                <>
                  Agreed, <When at={consent.at} />
                </>
              ) : (
                'Not recorded'
              )}
            </dd>
          </div>
        )}
        <div>
          <dt className="caption">Kept until</dt>
          <dd>
            {record.expiresAt ? <When at={record.expiresAt} as={dateOf} /> : 'Someone erases it'}{' '}
            {mayKeep && !hasAccepted && (
              <LinkButton onClick={() => keepRecord(view, record, record.expiresAt !== null)}>
                {record.expiresAt ? 'Keep it' : 'Let it expire'}
              </LinkButton>
            )}
          </dd>
        </div>
      </dl>
    </details>
  )
}

/** Exempts a record from the retention rules, or lets them apply again. */
const keepRecord = (view: KindView, record: RecordDetail, keep: boolean): void => {
  makeChange({
    kind: view.kind,
    edits: [{ record, patch: keep ? { expiresAt: null } : {} }],
    text: keep ? `${record.name} is kept` : `${record.name} follows the retention rules again`,
    failure: 'Failed to change how long this is kept. Please try again.',
    save: async ({ key }) =>
      savedOf(
        await ask(
          anyKind[view.kind].keep,
          { params: { id: record._id }, query: blind, body: { keep } },
          { idempotencyKey: key },
        ),
      ),
  })
}

import { may } from '#contract/http/access.ts'
import { refusalOf } from '../../changes/refusal.ts'
import { LinkButton } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { useProfile } from '../../session/profile.ts'
import { isHidden } from '../blind.ts'
import type { RecordDetail } from '../record.ts'
import styles from './hiring.module.css'
import { useReveal } from './save-score.ts'

/** Says that the applicant's name is hidden; those who may change records can reveal it. */
export function BlindNote({ record }: { record: RecordDetail }) {
  const { role } = useProfile()
  const { mutate, isPending, error } = useReveal(record._id)
  if (!isHidden(record)) return null
  const mayReveal = may(role, 'records.change') && record.box !== 'trash'
  return (
    <div className={styles.blind}>
      <Icon name="lock" />
      <p>
        {mayReveal ? (
          <>
            Name, university and links are hidden until your score is in.{' '}
            <LinkButton disabled={isPending} onClick={() => mutate()}>
              {isPending ? 'Showing...' : 'Show now'}
            </LinkButton>
          </>
        ) : (
          'Name, university and links are shown to those who score.'
        )}
        {error && (
          <span role="alert">
            {' '}
            {refusalOf(error, record.name, 'The name could not be shown. Please try again.')}
          </span>
        )}
      </p>
    </div>
  )
}

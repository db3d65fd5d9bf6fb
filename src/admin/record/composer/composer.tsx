import type { Ref, RefObject } from 'react'
import type { Change } from '../../changes/change.ts'
import { Icon } from '../../components/icon.tsx'
import { Key, KeyButton } from '../../components/key.tsx'
import { lazyComponent } from '../../router/lazy-component.tsx'
import { Link } from '../../router/link.tsx'
import type { OpenRecord } from '../kinds/kind-view.ts'
import { isConsultation } from '../record.ts'
import type { Tab } from './answer.tsx'
import styles from './composer.module.css'
import { NoteForm } from './note-form.tsx'
import { ReplyForm } from './reply-form.tsx'

const OfferTimes = lazyComponent(() =>
  import('../../times/offer-times.tsx').then((m) => m.OfferTimes),
)

export interface ComposerProps extends OpenRecord {
  tab: Tab
  mayReply: boolean
  onTab: (tab: Tab) => void
  /** Called once the text is on its way, stored or discarded. */
  onClose: () => void
  /** A message is on its way, and the next record follows. */
  onSent?: ((change: Change) => void) | undefined
  field: RefObject<HTMLTextAreaElement | null>
  /** The button that opens the templates. */
  templates: Ref<HTMLButtonElement>
}

/** Staff write here: to the sender, or for colleagues. */
export function Composer(props: ComposerProps) {
  const { view, record, tab, mayReply, onTab, onClose, onSent } = props
  const tabs = (
    <div className={styles.tabs}>
      {mayReply && (
        <KeyButton
          label={view.mail.label}
          of="r"
          aria-pressed={tab === 'reply'}
          onClick={() => onTab('reply')}
        />
      )}
      <button type="button" aria-pressed={tab === 'note'} onClick={() => onTab('note')}>
        {tab === 'note' && <Icon name="lock" />}
        Note
        <Key of="n" />
      </button>
      {mayReply && isConsultation(record) && (
        <>
          <KeyButton
            label="Offer times"
            of="o"
            aria-pressed={tab === 'times'}
            onClick={() => onTab('times')}
          />
          <Link to="/admin/offers" search={{ record: record._id }}>
            Offer a price
          </Link>
        </>
      )}
    </div>
  )
  if (tab === 'times' && isConsultation(record))
    return (
      <OfferTimes record={record} onClose={onClose} onSent={onSent}>
        {tabs}
      </OfferTimes>
    )
  const Form = tab === 'note' ? NoteForm : ReplyForm
  return <Form {...props}>{tabs}</Form>
}

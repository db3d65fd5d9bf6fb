import { useQuery } from '@tanstack/react-query'
import { closingOf, defaultSubject, signed } from '#contract/mail/message-text.ts'
import { fillPlaceholders, type PlaceholderValues } from '#contract/mail/placeholders.ts'
import { Close } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { settingsQuery } from '../../session/settings-query.ts'
import { site } from '../../site.ts'
import type { OpenRecord } from '../kinds/kind-view.ts'
import styles from './mail-preview.module.css'
import { fillFor } from './placeholder-values.ts'

/** A text as one person will read it; nothing while there is no text. */
export function TemplatePreview({
  text,
  name,
  values,
}: {
  text: string
  /** The name of the person who reads the text. */
  name: string
  values: PlaceholderValues
}) {
  if (!text.trim()) return null
  return (
    <section className={styles.preview} aria-label="Preview">
      <h3 className="caption">
        As <bdi>{name}</bdi> would read it
      </h3>
      <p className="typed" dir="auto">
        {fillPlaceholders(text.trim(), values)}
      </p>
      {text.includes('{link}') && (
        <p className="secondary">{'{link}'} becomes the link to their own page.</p>
      )}
    </section>
  )
}

interface Props extends OpenRecord {
  text: string
  subject: string
  /** Lines after the text. */
  more?: readonly string[]
  onClose: () => void
}

export function MailPreviewDialog({ view, record, text, subject, more = [], onClose }: Props) {
  const { data: settings } = useQuery(settingsQuery)
  const link = '{link}'
  return (
    <Dialog title="The mail as it will arrive" onClose={onClose} foot={<Close onClick={onClose} />}>
      <dl className={styles.envelope}>
        <dt className="secondary">From</dt>
        <dd>
          {settings?.displayName ? `${settings.displayName} (${site.name})` : site.name}{' '}
          <TextLink to="/admin/account" hash="settings">
            {settings?.displayName ? 'Change' : 'Add your name'}
          </TextLink>
        </dd>
        <dt className="secondary">To</dt>
        <dd>{record.email || record.name}</dd>
        <dt className="secondary">Subject</dt>
        <dd dir="auto">{subject.trim() || defaultSubject(view.kind, record._id)}</dd>
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long mail scrolls, also by keyboard */}
      <section className={`typed ${styles.mail}`} dir="auto" aria-label="Text" tabIndex={0}>
        {signed(fillFor(view, record, text.trim()), settings?.signature)}
        {'\n\n'}
        {more.length > 0 && `${more.join('\n')}\n\n`}
        {site.name}
        {'\n\n'}
        {closingOf(record._id, link).join('\n')}
      </section>
      <p className="secondary">{link} becomes the link to their own page.</p>
    </Dialog>
  )
}

import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { loadedLater } from '../../browser/loaded-later.ts'
import { useSentMessages } from '../../changes/change.ts'
import { Icon } from '../../components/icon.tsx'
import { Key, KeyButton } from '../../components/key.tsx'
import { Link } from '../../router/link.tsx'
import { useProfile } from '../../session/profile.ts'
import { notify } from '../../shell/notices.tsx'
import { isTyping } from '../../shell/shortcuts.tsx'
import type { KindView, OpenRecord } from '../kinds/kind-view.ts'
import { isConsultation, type RecordDetail } from '../record.ts'
import styles from './answer.module.css'
import { selectBlank } from './composer-field.tsx'
import { draftKey, storeDraft, useDraft, useReply, writeDraft } from './drafts.ts'
import { fillFor } from './placeholder-values.ts'
import { Sending } from './sending.tsx'
import { useFittingTemplate } from './templates.ts'

export type Tab = 'reply' | 'note' | 'times'

// Loaded when the first record is open: a key that opens it takes the text that follows at once.
const composer = loadedLater(async () => (await import('./composer.tsx')).Composer)

const stop = (event: Event): void => event.stopPropagation()

interface How {
  /** Opens the menu of templates. */
  templates?: boolean
  /** A text that begins an answer that is empty. */
  template?: string | undefined
}

/** The open part of the composer, and the ways to open it. */
export const useAnswer = (
  view: KindView,
  record: RecordDetail,
  may: { mayReply: boolean; mayNote: boolean },
) => {
  const { id: user } = useProfile()
  const [chosen, onTab] = useState<Tab | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const templates = useRef<HTMLButtonElement>(null)
  const note = useDraft(draftKey('note', user, record._id))
  const replyKey = draftKey('reply', user, record._id)
  const reply = useReply(replyKey, record)
  const isSending = useSentMessages(record._id).some(({ isPending }) => isPending)
  const { mayNote } = may
  const mayReply = may.mayReply && !isSending
  const fitting = useFittingTemplate(view, record, mayReply)

  useEffect(() => {
    // A failure is tried again, and said, when somebody wants to write.
    if (mayNote) void composer.load().catch(() => undefined)
  }, [mayNote])

  const open = async (tab: Tab, { templates: wantsTemplates, template }: How = {}) => {
    if (!composer.isLoaded()) {
      // Keys typed meanwhile are meant for the composer, and are no shortcuts.
      addEventListener('keydown', stop, true)
      try {
        await composer.load()
      } catch {
        notify({ text: 'The composer could not be loaded. Please try again.', tone: 'bad' })
        return
      } finally {
        removeEventListener('keydown', stop, true)
      }
    }
    if (template && !reply) writeDraft(replyKey, fillFor(view, record, template))
    flushSync(() => onTab(tab))
    field.current?.focus()
    if (template && field.current) {
      field.current.setSelectionRange(0, 0)
      selectBlank(field.current)
      storeDraft(view.kind, record._id, replyKey)
    }
    // On a phone the bar of screens lies over what focus alone leaves at the window's edge.
    field.current?.form?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    if (wantsTemplates) templates.current?.click()
  }

  const drafted = mayReply && reply ? 'reply' : note ? 'note' : null
  const tab = chosen && chosen !== 'note' && !mayReply ? null : (chosen ?? drafted)
  return { mayNote, mayReply, tab: mayNote ? tab : null, onTab, open, field, templates, fitting }
}

interface AnswerProps extends OpenRecord {
  controls: ReturnType<typeof useAnswer>
}

/** Below the conversation: what is being sent, and where the next answer or note is written. */
export function Answer({ view, record, controls }: AnswerProps) {
  const { mayNote, mayReply, tab, onTab, open, field, fitting } = controls
  const sent = useSentMessages(record._id).at(-1)
  const section = useRef<HTMLElement>(null)
  /** The element outside that had the focus before. */
  const cameFrom = useRef<HTMLElement | null>(null)
  const Composer = composer.use()

  if (!mayNote) return null
  return (
    <section
      ref={section}
      className={styles.answer}
      aria-label="Answer"
      data-answer=""
      tabIndex={-1}
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget))
          cameFrom.current = relatedTarget instanceof HTMLElement ? relatedTarget : null
      }}
      onKeyDown={({ key, target, currentTarget }) => {
        const isText = target === field.current || (tab === 'times' && isTyping(target))
        if (key !== 'Escape' || !isText) return
        const back = cameFrom.current?.isConnected ? cameFrom.current : currentTarget
        back.focus({ preventScroll: true })
      }}
      // A composer that a draft has opened stays open when its text is deleted: the next keys are text, not shortcuts.
      onChangeCapture={() => onTab(tab)}
    >
      {sent && <Sending key={sent.change.mutationId} message={sent} />}
      {Composer && tab ? (
        <Composer
          {...controls}
          view={view}
          record={record}
          tab={tab}
          onClose={() => {
            onTab(null)
            // The focused element is gone.
            section.current?.focus({ preventScroll: true })
          }}
        />
      ) : (
        <div className={styles.idle}>
          {mayReply && (
            <>
              <button type="button" className={styles.ask} onClick={() => void open('reply')}>
                <Icon name="reply" />
                {view.mail.label}
                <span className="visually-hidden"> to {record.name}</span>
                <Key of="r" />
              </button>
              {fitting && (
                <KeyButton
                  label={fitting.name}
                  onClick={() => void open('reply', { template: fitting.text })}
                />
              )}
              <KeyButton
                className={styles.templates}
                label="Templates"
                of="t"
                onClick={() => void open('reply', { templates: true })}
              />
            </>
          )}
          {mayReply && isConsultation(record) && (
            <>
              <KeyButton label="Offer times" of="o" onClick={() => void open('times')} />
              <Link to="/admin/offers" search={{ record: record._id }}>
                Offer a price
              </Link>
            </>
          )}
          <KeyButton label="Add a note" of="n" onClick={() => void open('note')} />
        </div>
      )}
    </section>
  )
}

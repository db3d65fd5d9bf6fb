import { useQuery } from '@tanstack/react-query'
import { type PropsWithChildren, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { KindPath } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { limits } from '#contract/limits.ts'
import { defaultSubject } from '#contract/mail/message-text.ts'
import { messageProblem, subjectProblem } from '#contract/mail/placeholders.ts'
import { modifierKey } from '../../browser/modifier-key.ts'
import { useConnection } from '../../changes/connection.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { submitTo } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { Key, KeyButton } from '../../components/key.tsx'
import { Menu } from '../../components/menu.tsx'
import { timeOf } from '../../format/dates.ts'
import { lazyComponent } from '../../router/lazy-component.tsx'
import { useProfile } from '../../session/profile.ts'
import { queryClient } from '../../session/query-client.ts'
import { ask } from '../../session/session.ts'
import { mailPhrase } from '../actions.ts'
import { maySet } from '../blind.ts'
import { CopyButton } from '../conversation/copy-button.tsx'
import { keys } from '../keys.ts'
import { nextStatus, type StatusView, statusView } from '../kinds/kind-view.ts'
import { foreignLinks } from '../suggestions/foreign-links.ts'
import styles from './composer.module.css'
import type { ComposerProps } from './composer.tsx'
import { ComposerField, selectBlank, selectNamed } from './composer-field.tsx'
import {
  draftKey,
  readUsed,
  storeDraft,
  subjectKey,
  useDraft,
  useIsHeld,
  useRefusal,
  writeDraft,
} from './drafts.ts'
import { asTemplate, fillFor, valuesFor } from './placeholder-values.ts'
import { sendMessage } from './send-message.ts'
import { templatesQuery } from './templates.ts'
import { TemplatesMenu } from './templates-menu.tsx'

const MailPreviewDialog = lazyComponent(() =>
  import('./mail-preview.tsx').then((m) => m.MailPreviewDialog),
)
const TemplatesDialog = lazyComponent(() =>
  import('./templates-dialog.tsx').then((m) => m.TemplatesDialog),
)

/**
 * The answer to a sender: placeholders are filled in as they are typed, so that what is read is what is sent.
 * `children`: the composer's tabs.
 */
export function ReplyForm(props: PropsWithChildren<ComposerProps>) {
  const { view, record, field, templates, onClose, onSent, children } = props
  const account = useProfile()
  const draft = draftKey('reply', account.id, record._id)
  const text = useDraft(draft)
  const subject = useDraft(subjectKey(draft))
  const isHeld = useIsHeld(draft)
  const [problem, setProblem] = useState<string | null>(null)
  const [isPreviewed, setPreviewed] = useState(false)
  const refusal = useRefusal(draft)
  const { isOffline, waiting } = useConnection()
  const sayWriting = useSayWriting(view.kind, record._id)
  const [keptAt, setKeptAt] = useState<Date | null>(null)
  // The text to save as a template; empty to look at the existing ones.
  const [saving, setSaving] = useState<string | null>(null)
  // Links that are to be confirmed, and the status that goes with the message.
  const [asking, setAsking] = useState<{ links: string[]; status: string | undefined } | null>(null)
  const subjectField = useRef<HTMLInputElement>(null)
  const others = record.writing.filter((name) => name !== account.username)
  const values = valuesFor(view, record)
  const fill = (given: string): string => fillFor(view, record, given)

  const write = (given: string, caret: number) => {
    const next = fill(given)
    flushSync(() => {
      writeDraft(draft, next)
      setKeptAt(next ? new Date() : null)
      setProblem(null)
    })
    storeDraft(view.kind, record._id, draft)
    if (next !== given) {
      const at = fill(given.slice(0, caret)).length
      field.current?.setSelectionRange(at, at)
    }
    if (next) sayWriting()
  }

  const insert = (snippet: string) => {
    const { selectionStart: start = text.length, selectionEnd: end = text.length } =
      field.current ?? {}
    write(text.slice(0, start) + snippet + text.slice(end), start + snippet.length)
    if (!field.current) return
    const { selectionEnd: after } = field.current
    field.current.focus()
    field.current.setSelectionRange(start, start)
    if (!selectBlank(field.current)) field.current.setSelectionRange(after, after)
  }

  const isFirst = record.status === view.statuses[0]?.value
  const next = isFirst ? nextStatus(view, record.status) : null
  const { data: saved = [] } = useQuery({
    ...templatesQuery,
    enabled: record.drafts.length > 0 || readUsed(draft) !== '',
  })
  const send = (status: string | undefined, isConfirmed = false) => {
    if (!text.trim()) return
    const inText = messageProblem(text)
    const found = inText ?? subjectProblem(subject)
    if (found) {
      setProblem(found)
      selectNamed(inText ? field.current : subjectField.current, found)
      return
    }
    const links = isConfirmed
      ? []
      : foreignLinks(text, {
          drafts: [...record.drafts.map((one) => fill(one.text)), readUsed(draft)],
          templates: saved,
        })
    if (links.length > 0) return setAsking({ links, status })
    const change = sendMessage(view, record, { text, status }, account)
    onClose()
    onSent?.(change)
  }

  return (
    <>
      <form className={styles.reply} onSubmit={submitTo(() => send(next?.value))}>
        {others.length > 0 && (
          <p className={styles.notice} role="status">
            <b>
              {others.join(', ')} {others.length === 1 ? 'is' : 'are'} writing a reply
            </b>
          </p>
        )}
        {isOffline && (
          <p className={`${styles.notice} ${styles.offline}`} role="status">
            <b>No connection.</b> You can keep writing. The text is kept in this tab and leaves when
            you are back.
          </p>
        )}
        {problem && (
          <div className={`wrapping-row ${styles.refused}`} role="alert">
            <Icon name="warn" />
            <p>Not sent yet: {problem}</p>
          </div>
        )}
        {refusal && (
          <div className={`wrapping-row ${styles.refused}`} role="alert">
            <Icon name="warn" />
            <p>Not sent: {refusal} Your text is kept here.</p>
            <LinkButton type="submit">Try again</LinkButton>
            <CopyButton text={text} />
          </div>
        )}
        <div className={`wrapping-row ${styles.head}`}>
          {children}
          <span className={`secondary ${styles.to}`}>to {record.email || record.name}</span>
          <TemplatesMenu
            kind={view.kind}
            values={values}
            button={templates}
            onInsert={insert}
            onEdit={() => setSaving('')}
            onSave={text.trim() ? () => setSaving(asTemplate(text, values)) : null}
          />
        </div>
        <label className={`secondary ${styles.subject}`}>
          <span>Subject</span>
          <input
            ref={subjectField}
            value={subject}
            placeholder={defaultSubject(view.kind, record._id)}
            maxLength={limits.subject}
            autoComplete="off"
            onChange={({ target }) => {
              writeDraft(subjectKey(draft), target.value)
              setProblem(null)
              storeDraft(view.kind, record._id, draft)
            }}
          />
        </label>
        <ComposerField
          id="reply"
          label={mailPhrase(view, record.name)}
          field={field}
          text={text}
          max={limits.staffMessage}
          onText={write}
        />
        {text.includes('{link}') && (
          <p className="secondary">
            <span className={styles.sign}>{'{link}'}</span> becomes the link to their own page.
          </p>
        )}
        <div className={`wrapping-row ${styles.foot}`}>
          <span className={styles.split}>
            <Button
              type="submit"
              {...(others.length > 0 || isOffline ? { look: 'line' } : {})}
              disabled={text.trim() === ''}
            >
              {others.length > 0
                ? 'Send anyway'
                : isOffline
                  ? 'Send when back'
                  : sendLabel(next, onSent !== undefined)}
              <Key of={`${modifierKey} ↵`} />
            </Button>
            <Menu
              className="btn small line"
              name="Other ways to send"
              label={<Icon name="caret" />}
            >
              {() => (
                <>
                  <button type="button" onClick={() => send(undefined)}>
                    Send <span>status stays {statusView(view, record.status).label}</span>
                  </button>
                  {view.statuses
                    .filter(
                      (status) =>
                        status.action && status.value !== record.status && maySet(record, status),
                    )
                    .map(({ value, label }) => (
                      <KeyButton
                        key={value}
                        label={`Send and mark ${label.toLowerCase()}`}
                        onClick={() => send(value)}
                      />
                    ))}
                </>
              )}
            </Menu>
          </span>
          {others.length > 0 && (
            <span className="secondary">
              <bdi>{record.name}</bdi> would get two answers.
            </span>
          )}
          {text !== '' && (
            <LinkButton
              onClick={() => {
                writeDraft(subjectKey(draft), '')
                writeDraft(draft, '')
                storeDraft(view.kind, record._id, draft)
                onClose()
              }}
            >
              Discard
            </LinkButton>
          )}
          {text !== '' && <LinkButton onClick={() => setPreviewed(true)}>Preview</LinkButton>}
          <span className={`caption ${styles.kept}`}>
            {waiting > 0
              ? `${waiting} ${waiting === 1 ? 'change waits' : 'changes wait'}`
              : text &&
                `Draft kept${isHeld ? '' : ' in this tab'}${keptAt ? ` ${timeOf(keptAt)}` : ''}`}
          </span>
        </div>
      </form>
      {asking && (
        <Confirm
          title="Send these links?"
          question={`An agent has drafted links that are neither ours nor in a template: ${asking.links.join(', ')}`}
          action="Send with these links"
          onConfirm={() => send(asking.status, true)}
          onClose={() => setAsking(null)}
        />
      )}
      {isPreviewed && (
        <MailPreviewDialog
          view={view}
          record={record}
          text={text}
          subject={subject}
          onClose={() => setPreviewed(false)}
        />
      )}
      {saving !== null && (
        <TemplatesDialog
          kind={view.kind}
          text={saving}
          values={values}
          onClose={() => setSaving(null)}
        />
      )}
    </>
  )
}

const sendLabel = (next: StatusView | null, goesOn: boolean): string => {
  const status = next?.label.toLowerCase()
  if (goesOn) return status ? `Send, mark ${status}, next` : 'Send, next'
  return status ? `Send and mark ${status}` : 'Send'
}

const everyMs = (limits.writingSeconds / 2) * 1_000

/**
 * Call it at each keystroke of an answer. It tells colleagues that this person writes, and reads again who
 * else does, so that the second of two sees the first before sending.
 */
const useSayWriting = (kind: KindPath, id: string): (() => void) => {
  const saidAt = useRef(Number.NEGATIVE_INFINITY)
  return () => {
    const now = performance.now()
    if (now - saidAt.current < everyMs) return
    saidAt.current = now
    // A notice to colleagues is worth no second try.
    void ask(anyKind[kind].writing, { params: { id } })
      .then(() => queryClient.invalidateQueries({ queryKey: keys.detail(kind, id) }))
      .catch(() => undefined)
  }
}

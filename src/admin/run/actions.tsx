import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { limits } from '#contract/limits.ts'
import type { IconName } from '#ui/all-icons.ts'
import { singleClick } from '../browser/single-click.ts'
import { useConnection } from '../changes/connection.ts'
import { act, assign, type OneAction, remove, snooze } from '../changes/edits.ts'
import { undoLatest } from '../changes/make-change.ts'
import { LinkButton } from '../components/button.tsx'
import { Confirm } from '../components/dialog.tsx'
import { Icon } from '../components/icon.tsx'
import { Key, KeyButton } from '../components/key.tsx'
import { Menu } from '../components/menu.tsx'
import {
  openGroup,
  type RecordAction,
  useActionCommands,
  useRecordActions,
} from '../record/actions.ts'
import type { Tab } from '../record/composer/answer.tsx'
import { Composer } from '../record/composer/composer.tsx'
import { selectBlank } from '../record/composer/composer-field.tsx'
import { draftKey, useDraft, useReply } from '../record/composer/drafts.ts'
import type { OpenRecord } from '../record/kinds/kind-view.ts'
import type { RecordDetail } from '../record/record.ts'
import { SnoozeChoices } from '../record/snooze.tsx'
import { useProfile } from '../session/profile.ts'
import { useAssignable } from '../session/users-query.ts'
import { notify } from '../shell/notices.tsx'
import { useShortcuts } from '../shell/shortcuts.tsx'
import styles from './actions.module.css'
import type { Outcome } from './run.ts'
import { finishItem, skipItem } from './run-store.ts'
import { Templates } from './templates.tsx'

export interface ActionsProps extends OpenRecord {
  /** A colleague's change of the record while this person writes. */
  handledText: string | undefined
  writing: Tab | null
  onWriting: (tab: Tab | null) => void
  isHinted: boolean
}

/** At the foot: what to do with the record, or the composer in its place. */
export function Actions(props: ActionsProps) {
  const { record, writing, onWriting } = props
  const { id: user } = useProfile()
  const reply = useReply(draftKey('reply', user, record._id), record) !== ''
  const note = useDraft(draftKey('note', user, record._id)) !== ''

  // Opens the composer for a text that was begun or that an undo has restored. In one that is open somebody
  // may be typing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a composer that was closed by hand must not open again
  useEffect(() => {
    if (!writing && (reply || note)) onWriting(reply ? 'reply' : 'note')
  }, [reply, note])

  return writing ? <Writing {...props} tab={writing} /> : <Panel {...props} />
}

function Writing({ view, record, handledText, tab, onWriting }: ActionsProps & { tab: Tab }) {
  const { id: user } = useProfile()
  const { isOffline } = useConnection()
  const field = useRef<HTMLTextAreaElement>(null)
  const templates = useRef<HTMLButtonElement>(null)
  const isEmpty = useDraft(draftKey('reply', user, record._id)) === ''

  // biome-ignore lint/correctness/useExhaustiveDependencies: each form has a field of its own
  useLayoutEffect(() => {
    const { current } = field
    current?.focus()
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [tab])

  const close = () => onWriting(null)
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || document.querySelector(':popover-open, dialog[open]')) return
    // Otherwise the same Escape ends the run, once the composer is closed.
    event.preventDefault()
    close()
  }
  useShortcuts({
    r: () => onWriting('reply'),
    n: () => onWriting('note'),
    o: view.kind === 'consultations' ? () => onWriting('times') : undefined,
    t: tab === 'reply' ? () => templates.current?.click() : undefined,
    Escape: close,
  })

  return (
    <section className={styles.writing} aria-label="Answer" data-writing="" onKeyDown={closeByKey}>
      <div className={`wrapping-row ${styles.aside}`}>
        {handledText && (
          <b role="status">
            <bdi>{record.name}</bdi> {handledText}.
          </b>
        )}
        {tab === 'reply' && isEmpty && (
          <Templates
            view={view}
            record={record}
            className={styles.templates}
            onChoose={() => {
              field.current?.focus()
              field.current?.setSelectionRange(0, 0)
              if (field.current) selectBlank(field.current)
            }}
          />
        )}
        <LinkButton className={styles.close} onClick={close}>
          Close
          <Key of="Esc" />
        </LinkButton>
      </div>
      <Composer
        view={view}
        record={record}
        tab={tab}
        mayReply
        onTab={onWriting}
        onClose={close}
        onSent={(change) => {
          finishItem(record._id, { is: 'replied' }, change)
          notify({
            text: isOffline
              ? `The message to ${record.name} leaves when you are back`
              : `The message to ${record.name} leaves in ${limits.messageDelaySeconds} seconds`,
            action: { label: 'Undo', key: 'z', run: undoLatest },
          })
        }}
        field={field}
        templates={templates}
      />
    </section>
  )
}

const outcomeOf = ({ id, status }: RecordAction): Outcome =>
  id === 'status' ? { is: 'status', to: status?.value ?? '' } : { is: 'spam' }

function Panel({ view, record, onWriting, isHinted }: ActionsProps) {
  const assignee = useRef<HTMLButtonElement>(null)
  const later = useRef<HTMLButtonElement>(null)
  const more = useRef<HTMLButtonElement>(null)
  const [isAsking, setAsking] = useState(false)
  const actions = useRecordActions(view, record, 'run')

  /** Each decision is saved as in the inbox, and leads to the next record. */
  const decide = (edit: OneAction, outcome: Outcome): void =>
    act(view, record, edit, (made) => finishItem(record._id, outcome, made))
  const begin: Partial<Record<RecordAction['id'], () => unknown>> = {
    reply: () => onWriting('reply'),
    template: () => {
      flushSync(() => onWriting('reply'))
      document.querySelector<HTMLElement>('[data-writing] [popovertarget]')?.click()
    },
    times: () => onWriting('times'),
    note: () => onWriting('note'),
    assign: () => assignee.current?.click(),
    later: () => later.current?.click(),
    skip: () => skipItem(record._id),
    delete: () => setAsking(true),
  }
  const perform = (action: RecordAction) =>
    action.edit ? decide(action.edit, outcomeOf(action)) : begin[action.id]?.()

  useActionCommands(openGroup(record), actions, perform)
  useShortcuts({ '.': () => more.current?.click() })

  const next = actions.find(({ id, key }) => id === 'status' && key)
  const rest = actions.filter(
    (action) => action !== next && ['status', 'spam', 'delete'].includes(action.id),
  )
  return (
    <>
      {isHinted && (
        <p className={`wrapping-row ${styles.hint}`} aria-hidden="true">
          <span>
            <svg viewBox="0 0 44 12" aria-hidden="true">
              <path d="M42 6H8" />
              <path d="M0 6 7 2v8Z" />
            </svg>
            Later
          </span>
          <span>swipe the page</span>
          <span>
            {next?.label}
            <svg viewBox="0 0 44 12" aria-hidden="true">
              <path d="M2 6h34" />
              <path d="M44 6 37 2v8Z" />
            </svg>
          </span>
        </p>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div className={styles.panel} role="group" aria-label="What to do">
        <button type="button" className={styles.first} onClick={() => onWriting('reply')}>
          <Face icon="reply" text={view.mail.label} of="r" />
        </button>
        {next && (
          <button
            type="button"
            className={styles.action}
            onClick={singleClick(() => perform(next))}
          >
            <Face icon="check" text={next.label} of="e" />
          </button>
        )}
        <Menu
          button={assignee}
          className={styles.action}
          label={<Face icon="user" text="Assign" of="a" />}
        >
          {() => (
            <People
              record={record}
              onChoose={(person) =>
                decide(assign(person), { is: 'assigned', to: person ?? 'nobody' })
              }
            />
          )}
        </Menu>
        <Menu
          button={later}
          className={styles.action}
          label={<Face icon="clock" text="Later" of="h" />}
        >
          {() => (
            <SnoozeChoices
              record={record}
              onChoose={(until) =>
                decide(snooze(until), { is: 'later', until: until ?? new Date().toISOString() })
              }
            />
          )}
        </Menu>
        <Menu
          button={more}
          className={`${styles.action} ${styles.more}`}
          label={<Face icon="more" text="More" of="." />}
        >
          {() => (
            <>
              {rest.map((action) => (
                <KeyButton
                  key={action.phrase}
                  label={action.label}
                  of={action.key}
                  onClick={() => perform(action)}
                />
              ))}
              <hr />
              {actions.some(({ id }) => id === 'times') && (
                <KeyButton label="Offer times" of="o" onClick={() => onWriting('times')} />
              )}
              <KeyButton label="Write a note" of="n" onClick={() => onWriting('note')} />
              <KeyButton
                label="Skip: it comes again at the end"
                of="j"
                onClick={() => skipItem(record._id)}
              />
            </>
          )}
        </Menu>
      </div>
      {isAsking && (
        <Confirm
          title={`Delete ${view.noun}`}
          question={view.texts.removeQuestion}
          note={`${record.name} goes to the trash and can come back.`}
          action="Delete"
          onConfirm={() => decide(remove, { is: 'deleted' })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

const Face = ({ icon, text, of }: { icon: IconName; text: string; of: string }) => (
  <>
    <Icon name={icon} />
    {text}
    <Key of={of} />
  </>
)

function People({
  record,
  onChoose,
}: {
  record: RecordDetail
  onChoose: (username: string | null) => void
}) {
  const { username } = useProfile()
  const others = useAssignable(record.assignee).filter((name) => name !== username)
  return (
    <>
      <p>Assign to</p>
      {[username, ...others].map((name) => (
        <button key={name} type="button" onClick={() => onChoose(name)}>
          {name}{' '}
          {name === username ? (
            <span>you</span>
          ) : (
            name === record.assignee && <span>has it now</span>
          )}
        </button>
      ))}
      {record.assignee && <KeyButton label="Nobody" onClick={() => onChoose(null)} />}
    </>
  )
}

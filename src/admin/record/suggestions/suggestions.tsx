import { useDeferredValue } from 'react'
import { type AgentDraft, dropAgentDraft, dropProposal } from '#contract/programs/agents.ts'
import type { Change } from '../../changes/change.ts'
import { act, setStatus } from '../../changes/edits.ts'
import { LinkButton } from '../../components/button.tsx'
import { Key } from '../../components/key.tsx'
import { When } from '../../components/when.tsx'
import { useProfile } from '../../session/profile.ts'
import { queryClient } from '../../session/query-client.ts'
import { askOnce } from '../../session/session.ts'
import { useAction } from '../../shell/notices.tsx'
import { useCommands } from '../../shell/shortcuts.tsx'
import { openGroup } from '../actions.ts'
import { maySet } from '../blind.ts'
import { draftKey, keepUsed, storeDraft, useDraft, writeDraft } from '../composer/drafts.ts'
import { fillFor } from '../composer/placeholder-values.ts'
import { keys } from '../keys.ts'
import { type OpenRecord, statusView } from '../kinds/kind-view.ts'
import { editsOf, isMadeOf } from './edits.ts'
import styles from './suggestions.module.css'

interface Props extends OpenRecord {
  /** Opens the composer; null where no message may be written. */
  onReply: (() => void) | null
  /** The proposed status is being set. */
  onTaken?: (status: string, change: Change) => void
}

/** Agents' suggestions for a record: a status, and answers. A person decides on each. */
export function Suggestions({ view, record, onReply, onTaken }: Props) {
  const { id: user, username } = useProfile()
  const draft = draftKey('reply', user, record._id)
  const { drafts } = record
  // One that is taken ends with the change.
  const proposal = record.proposal?.status === record.status ? null : record.proposal

  const drop = useAction(async (id: string | null) => {
    if (id) await askOnce(dropAgentDraft, { params: { id } })
    else await askOnce(dropProposal, { params: { id: record._id } })
    await queryClient.invalidateQueries({ queryKey: keys.detail(view.kind, record._id) })
    await queryClient.invalidateQueries({ queryKey: keys.lists(view.kind) })
    await queryClient.invalidateQueries({ queryKey: keys.counts })
  }, 'That was not dropped. Please try again.')

  const take =
    proposal &&
    maySet(record, statusView(view, proposal.status)) &&
    (() =>
      act(view, record, setStatus(view, proposal.status, username), (change) =>
        onTaken?.(proposal.status, change),
      ))
  useCommands(
    openGroup(record),
    proposal
      ? [
          ...(take
            ? [{ label: 'Take the proposed status', icon: 'check', key: 'y', run: take } as const]
            : []),
          {
            label: 'Drop the proposed status',
            icon: 'bin',
            key: 'd',
            run: () => drop.mutate(null),
          },
        ]
      : [],
  )

  return (
    <>
      {proposal && (
        <section className={styles.suggestion} aria-label="Proposed status">
          <h4>
            {statusView(view, proposal.status).label} is proposed
            <small>
              {' '}
              by {proposal.token}, for {proposal.by}, <When at={proposal.at} />
            </small>
          </h4>
          <p className="typed">{proposal.why}</p>
          <div className={`wrapping-row ${styles.does}`}>
            {take ? (
              <LinkButton onClick={take}>
                Take
                <Key of="y" />
              </LinkButton>
            ) : (
              'Score it first.'
            )}
            <LinkButton busy={drop.isPending} onClick={() => drop.mutate(null)}>
              Drop
              <Key of="d" />
            </LinkButton>
          </div>
        </section>
      )}
      {drafts.map((one) => (
        <Drafted
          key={one._id}
          one={one}
          filled={fillFor(view, record, one.text)}
          draft={draft}
          onUse={
            onReply &&
            (() => {
              const text = fillFor(view, record, one.text)
              writeDraft(draft, text)
              keepUsed(draft, text)
              storeDraft(view.kind, record._id, draft)
              onReply()
            })
          }
          onDrop={drop.isPending ? null : () => drop.mutate(one._id)}
        />
      ))}
    </>
  )
}

interface DraftedProps {
  one: AgentDraft
  filled: string
  draft: string
  onUse: (() => void) | null
  onDrop: (() => void) | null
}

function Drafted({ one, filled, draft, onUse, onDrop }: DraftedProps) {
  const written = useDeferredValue(useDraft(draft))
  const pieces = written ? editsOf(filled, written) : []
  const isUsed = written !== '' && isMadeOf(filled, pieces)
  return (
    <section className={styles.suggestion} aria-label={`Drafted by ${one.token}`}>
      <h4>
        Drafted by {one.token}
        <small>
          {' '}
          for {one.by}, <When at={one.at} />
          {isUsed && written !== filled && ', with your edits'}
        </small>
      </h4>
      <p className="typed" dir="auto">
        {isUsed
          ? pieces.map(({ kind, text }, index) => {
              const Tag = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span'
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
              return <Tag key={index}>{text}</Tag>
            })
          : filled}
      </p>
      <div className={`wrapping-row ${styles.does}`}>
        {onUse && !isUsed && (
          <LinkButton onClick={onUse}>
            {written ? 'Replace your text' : 'Use this draft'}
          </LinkButton>
        )}
        {onDrop && !isUsed && (
          <LinkButton on={`the draft by ${one.token}`} onClick={onDrop}>
            Drop
          </LinkButton>
        )}
      </div>
    </section>
  )
}

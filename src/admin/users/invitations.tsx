import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import {
  endInvitation,
  type Invitation,
  invite,
  listInvitations,
} from '#contract/accounts/links.ts'
import type { Role } from '#contract/http/access.ts'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { Button, Close, LinkButton } from '../components/button.tsx'
import { CheckedForm } from '../components/checked-form.tsx'
import { Confirm } from '../components/dialog.tsx'
import { focusFirst, SubmitOrCancel, textIn } from '../components/form.tsx'
import { LoadProblem } from '../components/load-states.tsx'
import panel from '../components/panel.module.css'
import { Table } from '../components/table.tsx'
import { When } from '../components/when.tsx'
import { dataQuery, queryClient } from '../session/query-client.ts'
import { ask, askOnce } from '../session/session.ts'
import { copyText } from '../shell/copy-text.ts'
import { notify, useAction } from '../shell/notices.tsx'
import { RoleField } from './role-field.tsx'
import styles from './users.module.css'

export const invitationsQuery = dataQuery(['invitations'], listInvitations, {})

/** Invites a colleague, who chooses a password themselves; shows the link once, for those without mail. */
export function InviteForm({ onClose }: { onClose: () => void }) {
  const id = useId()
  const [role, setRole] = useState<Role>('editor')

  const send = useMutation({
    mutationFn: async (filled: HTMLFormElement) => {
      const email = textIn(filled, 'email')
      const username = textIn(filled, 'username')
      const body = { email, role, ...(username ? { username } : {}) }
      return (await ask(invite, { body })).data
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  })
  const sent = send.data

  return (
    <section className={styles.editor} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Invite a colleague</h2>
      <p role="status" className={sent ? styles.success : 'visually-hidden'}>
        {sent && `${sent.email} is invited.`}
      </p>
      {sent ? (
        <>
          <p className={styles.say}>
            The link is on its way by mail. It works once, for {limits.invitationHours} hours, and
            is shown only here, in case the mail does not arrive:
          </p>
          <p>
            <output className={styles.secret} aria-label="Link of the invitation">
              {sent.link}
            </output>
          </p>
          <div className={panel.actions}>
            <Button onClick={() => copyText(sent.link, 'Link copied.')}>Copy link</Button>
            <Close onClick={onClose} />
          </div>
        </>
      ) : (
        <CheckedForm
          ref={focusFirst}
          error={send.error}
          failed="Nobody was invited. Please try again."
          onSend={send.mutate}
        >
          <div className="form-grid">
            <Field
              name="email"
              label="Email"
              half
              type="email"
              maxLength={limits.email}
              autoComplete="off"
            />
            <Field
              name="username"
              label="Username"
              half
              optional
              maxLength={limits.username.max}
              autoComplete="off"
              spellCheck={false}
            />
            <RoleField id={`${id}-role`} role={role} onChange={setRole} />
          </div>
          <SubmitOrCancel
            busy={send.isPending && 'Inviting...'}
            // Closed too early, nobody would see the link.
            onCancel={send.isPending ? null : onClose}
          >
            Send invitation
          </SubmitOrCancel>
        </CheckedForm>
      )}
    </section>
  )
}

export function Invitations() {
  const query = useQuery(invitationsQuery)
  const { data } = query
  const [leaving, setLeaving] = useState<Invitation | null>(null)

  const takeBack = useAction(async ({ _id, email }: Invitation) => {
    try {
      await askOnce(endInvitation, { params: { id: _id } })
      notify({ text: `The invitation of ${email} no longer works.` })
    } finally {
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
    }
  }, 'The invitation was not taken back. Please try again.')

  if (!data)
    return <LoadProblem query={query} failed="Failed to load the invitations. Please try again." />
  if (data.length === 0) return null
  return (
    <section className={styles.list} aria-labelledby="invitations">
      <h2 id="invitations">Open invitations</h2>
      <Table
        columns={[
          ['Email', ({ email }) => email],
          ['Role', ({ role }) => role],
          ['Invited', ({ createdAt }) => <When at={createdAt} />],
          ['Works until', ({ expiresAt }) => <When at={expiresAt} />],
          [
            'Actions',
            (invitation) => (
              <LinkButton
                on={`the invitation of ${invitation.email}`}
                className={styles.remove}
                onClick={() => setLeaving(invitation)}
              >
                Take back
              </LinkButton>
            ),
          ],
        ]}
        rows={data}
      />
      {leaving && (
        <Confirm
          title={`Take back the invitation of ${leaving.email}`}
          question="The link in the mail no longer works. You can send a new invitation at any time."
          action="Take back"
          onClose={() => setLeaving(null)}
          onConfirm={() => takeBack.mutate(leaving)}
        />
      )}
    </section>
  )
}

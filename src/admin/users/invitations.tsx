import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import {
  endInvitation,
  type Invitation,
  invite,
  listInvitations,
} from '#contract/accounts/invitations.ts'
import { type Role, roles } from '#contract/http/access.ts'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { Button, LinkButton } from '../components/button.tsx'
import { Confirm } from '../components/dialog.tsx'
import { LoadFailed } from '../components/load-states.tsx'
import table from '../components/table.module.css'
import { When } from '../components/when.tsx'
import { ask, sentenceOf } from '../session/session.ts'
import { notify } from '../shell/notices.tsx'
import styles from './users.module.css'

const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: async ({ signal }) => (await ask(listInvitations, {}, { signal })).data,
})

const copy = async (link: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(link)
    notify({ text: 'Link copied.' })
  } catch {
    notify({ text: 'It could not be copied. Select it by hand.', tone: 'bad' })
  }
}

/** Invites a colleague, who chooses a password themselves; shows the link once, for those without mail. */
export function InviteForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const id = useId()
  const [problem, setProblem] = useState<{ text: string } | null>(null)
  const [sending, setSending] = useState(false)
  const [sent, setSent] = useState<(Invitation & { link: string }) | null>(null)
  const banner = useRef<HTMLParagraphElement>(null)
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  useEffect(() => {
    if (problem) banner.current?.focus()
  }, [problem])

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const email = String(typed.get('email') ?? '').trim()
    const username = String(typed.get('username') ?? '').trim()
    if (!email) return setProblem({ text: 'Please fill in all required fields' })
    setProblem(null)
    setSending(true)
    try {
      const role = typed.get('role') as Role
      const { data } = await ask(invite, {
        body: { email, role, ...(username ? { username } : {}) },
      })
      setSent(data)
      void client.invalidateQueries({ queryKey: invitationsQuery.queryKey })
    } catch (error) {
      setProblem({ text: sentenceOf(error, 'Nobody was invited. Please try again.') })
    } finally {
      setSending(false)
    }
  }

  return (
    <section className={styles.editor} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Invite a colleague</h2>
      {problem && (
        <p className={styles.problem} role="alert" tabIndex={-1} ref={banner}>
          {problem.text}
        </p>
      )}
      <p role="status" className={sent ? styles.success : 'vh'}>
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
          <div className={styles.actions}>
            <Button onClick={() => void copy(sent.link)}>Copy link</Button>
            <Button look="line" onClick={onClose}>
              Close
            </Button>
          </div>
        </>
      ) : (
        <form ref={form} noValidate onSubmit={(event) => void submit(event)}>
          <div className="plan">
            <Field
              id={`${id}-email`}
              name="email"
              label="Email"
              third
              type="email"
              maxLength={limits.email}
              autoComplete="off"
            />
            <Field id={`${id}-role`} label="Role" third>
              <select id={`${id}-role`} name="role" defaultValue="editor">
                {roles.map((role) => (
                  <option key={role}>{role}</option>
                ))}
              </select>
            </Field>
            <Field
              id={`${id}-username`}
              name="username"
              label="Username"
              third
              optional
              maxLength={limits.username.max}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
          <div className={styles.actions}>
            <Button type="submit" busy={sending && 'Inviting...'}>
              Send invitation
            </Button>
            <Button look="line" onClick={onClose}>
              Cancel
            </Button>
          </div>
        </form>
      )}
    </section>
  )
}

/** Invitations that can still be accepted. */
export function Invitations() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(invitationsQuery)
  const [leaving, setLeaving] = useState<Invitation | null>(null)

  const takeBack = async ({ _id, email }: Invitation) => {
    try {
      await ask(endInvitation, { params: { id: _id } }, { idempotencyKey: crypto.randomUUID() })
      notify({ text: `The invitation of ${email} no longer works.` })
    } catch (failure) {
      notify({
        text: sentenceOf(failure, 'The invitation was not taken back. Please try again.'),
        tone: 'bad',
      })
    }
    await client.invalidateQueries({ queryKey: invitationsQuery.queryKey })
  }

  if (error && !data)
    return (
      <LoadFailed
        sentence={sentenceOf(error, 'Failed to load the invitations. Please try again.')}
        retry={refetch}
      />
    )
  if (!data || data.length === 0) return null
  return (
    <section className={styles.list} aria-labelledby="invitations">
      <h2 id="invitations">Open invitations</h2>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Email</th>
            <th scope="col">Role</th>
            <th scope="col">Invited</th>
            <th scope="col">Works until</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {data.map((invitation) => (
            <tr key={invitation._id}>
              <th scope="row">{invitation.email}</th>
              <td data-label="Role">{invitation.role}</td>
              <td data-label="Invited">
                <When at={invitation.createdAt} />
              </td>
              <td data-label="Works until">
                <When at={invitation.expiresAt} />
              </td>
              <td data-label="Actions">
                <LinkButton
                  on={`the invitation of ${invitation.email}`}
                  className={styles.remove}
                  onClick={() => setLeaving(invitation)}
                >
                  Take back
                </LinkButton>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {leaving && (
        <Confirm
          title={`Take back the invitation of ${leaving.email}`}
          question="The link in the mail no longer works. You can send a new invitation at any time."
          action="Take back"
          onClose={() => setLeaving(null)}
          onConfirm={() => void takeBack(leaving)}
        />
      )}
    </section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Fragment, useCallback, useEffect, useState } from 'react'
import { deleteUser, endUserSessions, type User } from '#contract/accounts/users.ts'
import { singleClick } from '../browser/single-click.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { Confirm, type Question } from '../components/dialog.tsx'
import { Empty } from '../components/empty.tsx'
import { LoadState } from '../components/load-states.tsx'
import table from '../components/table.module.css'
import { Table } from '../components/table.tsx'
import { When } from '../components/when.tsx'
import { dayOf } from '../format/dates.ts'
import { lazyComponent } from '../router/lazy-component.tsx'
import { useLocation } from '../router/location.ts'
import { profileQuery, useMay, useProfile } from '../session/profile.ts'
import { queryClient } from '../session/query-client.ts'
import { ask, sentenceOf } from '../session/session.ts'
import { usersQuery } from '../session/users-query.ts'
import { Invitations, InviteForm, invitationsQuery } from './invitations.tsx'
import { permissionsOf } from './role-field.tsx'
import { UserForm } from './user-form.tsx'
import styles from './users.module.css'

const UserTokens = lazyComponent(() => import('../programs/tokens.tsx').then((m) => m.UserTokens))

type Open = { what: 'add' | 'invite' } | { what: 'edit' | 'tokens'; user: User } | null

/** Milliseconds after the list has loaded until permissions are checked again. */
const RECHECK_MS = 500

const recheck = () => queryClient.fetchQuery({ ...profileQuery, staleTime: 0 })

export function Users() {
  const me = useProfile()
  const isManager = useMay('users.manage')
  const list = useQuery(usersQuery)
  const { data: users, refetch } = list
  const wantsInvite = useLocation(({ hash }) => hash) === 'invite' && isManager
  const [open, setOpen] = useState<Open>(wantsInvite ? { what: 'invite' } : null)
  const [question, setQuestion] = useState<Question | null>(null)
  const [message, setMessage] = useState<{ text: string; bad?: boolean } | null>(null)
  const close = useCallback(() => setOpen(null), [])

  const isLoaded = users !== undefined
  useEffect(() => {
    if (!isLoaded) return
    const timer = setTimeout(() => void recheck().catch(() => undefined), RECHECK_MS)
    return () => clearTimeout(timer)
  }, [isLoaded])

  const checkPermissions = async () => {
    try {
      setMessage({ text: permissionsOf((await recheck()).role) })
    } catch (error) {
      setMessage({ text: sentenceOf(error, 'Failed to get profile'), bad: true })
    }
  }

  /** An invitation ends where its address gets an account. */
  const refresh = () =>
    Promise.all(
      [usersQuery, invitationsQuery].map(({ queryKey }) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )

  const run = async (work: () => Promise<unknown>, done: string, failed: string) => {
    try {
      await work()
      setMessage({ text: done })
    } catch (error) {
      setMessage({ text: sentenceOf(error, failed), bad: true })
    }
    // A failure may be a lost answer, or the user may be deleted: the list is read again in any
    // case.
    await refresh()
  }

  const endSessions = (user: User): Question => ({
    title: `End the sessions of ${user.username}`,
    question: 'Every browser in which this user is signed in is signed out at once.',
    note: 'The address that gives their talks to a calendar ends, too. Devices get no notifications until this user is back in the admin there. Tokens of programs go on.',
    action: 'End sessions',
    onConfirm: () =>
      void run(
        () => ask(endUserSessions, { params: { id: user._id } }),
        `The sessions of ${user.username} have ended.`,
        'Failed to end the sessions. Please try again.',
      ),
  })

  const remove = (user: User): Question => ({
    title: `Delete ${user.username}`,
    question: 'Are you sure you want to delete this user? This action cannot be undone.',
    action: 'Delete',
    onConfirm: () =>
      void run(
        () => ask(deleteUser, { params: { id: user._id } }),
        'User deleted successfully!',
        'Failed to delete user. Please try again.',
      ),
  })

  const actions = (user: User) =>
    isManager ? (
      <div className={table.actions}>
        <LinkButton on={user.username} onClick={() => setOpen({ what: 'edit', user })}>
          Edit
        </LinkButton>
        <LinkButton on={`of ${user.username}`} onClick={() => setQuestion(endSessions(user))}>
          End sessions
        </LinkButton>
        <LinkButton on={`of ${user.username}`} onClick={() => setOpen({ what: 'tokens', user })}>
          Tokens
        </LinkButton>
        {user._id !== me.id && (
          <LinkButton
            on={user.username}
            className={styles.remove}
            onClick={() => setQuestion(remove(user))}
          >
            Delete
          </LinkButton>
        )}
      </div>
    ) : (
      <span className="soft">No actions available</span>
    )

  return (
    <>
      <div className={styles.head}>
        <h1>User Management</h1>
        <div className={styles.tools}>
          {isManager && (
            <Button
              aria-expanded={open?.what === 'invite'}
              onClick={singleClick(() =>
                setOpen(open?.what === 'invite' ? null : { what: 'invite' }),
              )}
            >
              Invite
            </Button>
          )}
          <Button look="line" onClick={() => void checkPermissions()}>
            Check Permissions
          </Button>
          {isManager && (
            <Button
              look="line"
              aria-expanded={open?.what === 'add'}
              onClick={singleClick(() => setOpen(open?.what === 'add' ? null : { what: 'add' }))}
            >
              Add New User
            </Button>
          )}
        </div>
      </div>
      <p
        role="status"
        className={message ? `${styles.said} ${message.bad ? 'bad' : ''}` : 'visually-hidden'}
      >
        {message?.text}
      </p>

      {!isManager && users && (
        <p className={styles.say}>
          Only superusers invite people and change accounts. Ask{' '}
          {users
            .filter(({ isSuperuser }) => isSuperuser)
            .map(({ username, email }, index) => (
              <Fragment key={email}>
                {index > 0 && ', '}
                <a href={`mailto:${email}`}>{username}</a>
              </Fragment>
            ))}
          .
        </p>
      )}
      {open?.what === 'invite' && <InviteForm onClose={close} />}
      {open?.what === 'add' && <UserForm onStored={refresh} onClose={close} />}
      {open?.what === 'edit' && (
        <UserForm
          key={`${open.user._id} ${open.user.version}`}
          user={open.user}
          isSelf={open.user._id === me.id}
          onStored={refresh}
          onClose={close}
        />
      )}

      {open?.what === 'tokens' && <UserTokens user={open.user} onClose={close} />}

      <LoadState query={list} failed="Failed to load users. Please try again." />
      {users?.length === 0 && (
        <Empty text="No users found">
          <LinkButton onClick={() => void refetch()}>Load again</LinkButton>
        </Empty>
      )}
      {users && users.length > 0 && (
        <div className={styles.list}>
          <Table
            caption="Users"
            columns={[
              [
                'Username',
                ({ _id, username }) => (
                  <>
                    {username} {_id === me.id && <span className={styles.you}>you</span>}
                  </>
                ),
              ],
              ['Email', ({ email }) => email],
              ['Role', ({ role }) => role],
              ['Created', ({ createdAt }) => <When at={createdAt} as={dayOf} />],
              ['Actions', actions],
            ]}
            rows={users}
          />
        </div>
      )}

      {isManager && <Invitations />}

      {question && <Confirm {...question} onClose={() => setQuestion(null)} />}
    </>
  )
}

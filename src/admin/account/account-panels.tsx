import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { endSession, sessions } from '#contract/accounts/auth.ts'
import { Button, LinkButton } from '../components/button.tsx'
import panel from '../components/panel.module.css'
import table from '../components/table.module.css'
import { When } from '../components/when.tsx'
import { useProfile } from '../session/profile.ts'
import { ask, sentenceOf } from '../session/session.ts'
import { notify } from '../shell/notices.tsx'
import { FactorsPanel } from './factors-panel.tsx'
import { PasswordForm } from './password-form.tsx'

/** The signed-in user's profile, password, second factors and sessions. */
export function AccountPanels() {
  const { username, email, role } = useProfile()
  return (
    <div className={panel.panels}>
      <section className={panel.panel} aria-labelledby="profile">
        <h2 id="profile">Profile</h2>
        <dl className={panel.facts}>
          <div>
            <dt>Username</dt>
            <dd>{username}</dd>
          </div>
          <div>
            <dt>Email</dt>
            <dd>{email}</dd>
          </div>
          <div>
            <dt>Role</dt>
            <dd>{role}</dd>
          </div>
        </dl>
      </section>
      <section className={panel.panel} aria-labelledby="password">
        <h2 id="password">Password</h2>
        <PasswordForm />
      </section>
      <FactorsPanel />
      <SessionsPanel />
    </div>
  )
}

const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await ask(sessions, {}, { signal })).data,
})

function SessionsPanel() {
  const client = useQueryClient()
  const { data, error } = useQuery(sessionsQuery)
  const [ending, setEnding] = useState(false)
  const others = data?.filter(({ current }) => !current) ?? []

  const end = async (id: string) => {
    try {
      await ask(endSession, { params: { id } })
      client.setQueryData(sessionsQuery.queryKey, (list) => list?.filter(({ _id }) => _id !== id))
      notify({ text: 'Session ended' })
    } catch (failure) {
      notify({ text: sentenceOf(failure, 'Failed to end the session.'), tone: 'bad' })
    }
  }

  const endOthers = async () => {
    setEnding(true)
    try {
      for (const { _id } of others) await ask(endSession, { params: { id: _id } })
      notify({ text: 'Your other sessions have ended.' })
    } catch (failure) {
      notify({ text: sentenceOf(failure, 'Not every session was ended.'), tone: 'bad' })
    } finally {
      setEnding(false)
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    }
  }

  return (
    <section className={panel.panel} aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      {error && !data && (
        <p className={table.problem}>{sentenceOf(error, 'Failed to load your sessions.')}</p>
      )}
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Browser</th>
            <th scope="col">Since</th>
            <th scope="col">Last used</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {data?.map((session) => (
            <tr key={session._id}>
              <th scope="row">{session.browser ?? 'Unknown browser'}</th>
              <td data-label="Since">
                <When at={session.createdAt} />
              </td>
              <td data-label="Last used">
                <When at={session.lastUsedAt} />
              </td>
              <td data-label="Actions">
                {session.current ? (
                  <span className={table.soft}>This one</span>
                ) : (
                  <LinkButton onClick={() => void end(session._id)}>End session</LinkButton>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {others.length > 1 && (
        <div className={panel.actions}>
          <Button look="line" busy={ending && 'Ending...'} onClick={() => void endOthers()}>
            End all other sessions
          </Button>
        </div>
      )}
    </section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { endSession, sessions } from '#contract/accounts/auth.ts'
import { may } from '#contract/http/access.ts'
import { useKeyFor } from '../browser/use-key-for.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { LoadProblem } from '../components/load-states.tsx'
import panel from '../components/panel.module.css'
import { Table } from '../components/table.tsx'
import { TextLink } from '../components/text-link.tsx'
import { When } from '../components/when.tsx'
import { TokensPanel } from '../programs/tokens.tsx'
import { useProfile } from '../session/profile.ts'
import { dataQuery, queryClient } from '../session/query-client.ts'
import { ask, isGone } from '../session/session.ts'
import { settingsQuery } from '../session/settings-query.ts'
import { notify, useAction } from '../shell/notices.tsx'
import { FactorsPanel } from './factors-panel.tsx'
import { NotificationsPanel } from './notifications/notifications-panel.tsx'
import { PasswordForm } from './password-form.tsx'
import { SettingsPanel } from './settings-panel.tsx'

export function AccountScreen() {
  return (
    <>
      <h1>Your account</h1>
      <AccountPanels />
    </>
  )
}

export function AccountPanels() {
  const { username, email, role } = useProfile()
  return (
    <div className={panel.panels}>
      <section className={panel.panel} aria-labelledby="profile">
        <h2 id="profile">Profile</h2>
        <dl className={panel.facts}>
          {Object.entries({ Username: username, Email: email, Role: role }).map(([term, value]) => (
            <div key={term}>
              <dt className="caption">{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {may(role, 'records.change') && (
          <p className={panel.actions}>
            <TextLink to="/admin/hours">My hours: when people can talk to you</TextLink>
          </p>
        )}
      </section>
      <section className={panel.panel} aria-labelledby="password">
        <h2 id="password">Password</h2>
        <PasswordForm />
      </section>
      <FactorsPanel />
      {may(role, 'records.read') && <OwnSettings />}
      <SessionsPanel />
      {may(role, 'records.read') && <TokensPanel />}
    </div>
  )
}

function OwnSettings() {
  const query = useQuery(settingsQuery)
  const { data } = query
  if (!data) return <LoadProblem query={query} failed="Failed to load your settings." />
  return (
    <>
      <SettingsPanel settings={data} />
      <NotificationsPanel vapidPublicKey={data.vapidPublicKey} />
    </>
  )
}

const sessionsQuery = dataQuery(['sessions'], sessions, {})

function SessionsPanel() {
  const query = useQuery(sessionsQuery)
  const { data } = query
  const others = data?.filter(({ current }) => !current) ?? []

  const { keyFor } = useKeyFor()
  const endOne = (id: string) =>
    ask(endSession, { params: { id } }, { idempotencyKey: keyFor(id) }).catch((error: unknown) => {
      // It has ended by itself.
      if (!isGone(error)) throw error
    })
  const end = useAction(async (id: string) => {
    await endOne(id)
    queryClient.setQueryData(sessionsQuery.queryKey, (list) =>
      list?.filter(({ _id }) => _id !== id),
    )
    notify({ text: 'Session ended' })
  }, 'Failed to end the session.')

  const endOthers = useAction(async () => {
    try {
      for (const { _id } of others) await endOne(_id)
      notify({ text: 'Your other sessions have ended.' })
    } finally {
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    }
  }, 'Not every session was ended.')

  return (
    <section className={panel.panel} aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <LoadProblem query={query} failed="Failed to load your sessions." />
      <Table
        columns={[
          ['Browser', ({ browser }) => browser ?? 'Unknown browser'],
          ['Since', ({ createdAt }) => <When at={createdAt} />],
          ['Last used', ({ lastUsedAt }) => <When at={lastUsedAt} />],
          [
            'Actions',
            ({ _id, current }) =>
              current ? (
                <span className="soft">This one</span>
              ) : (
                <LinkButton busy={end.isPending} onClick={() => end.mutate(_id)}>
                  End session
                </LinkButton>
              ),
          ],
        ]}
        rows={data ?? []}
      />
      {others.length > 1 && (
        <div className={panel.actions}>
          <Button
            look="line"
            busy={endOthers.isPending && 'Ending...'}
            onClick={() => endOthers.mutate()}
          >
            End all other sessions
          </Button>
        </div>
      )}
    </section>
  )
}

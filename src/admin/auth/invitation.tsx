import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '#client/call.ts'
import { acceptInvitation, readInvitation } from '#contract/accounts/links.ts'
import { limits } from '#contract/limits.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { CheckedForm, problemFrom } from '../components/checked-form.tsx'
import { textIn, valueIn } from '../components/form.tsx'
import { deviceId, isGone, patienceMs } from '../session/session.ts'
import { Loading } from '../shell/guard.tsx'
import { AuthPage, OtherScreen } from './auth-page.tsx'
import styles from './login.module.css'
import { NewPassword, passwordsDiffer, useLinkToken } from './mailed-link.tsx'
import { useSignIn } from './use-sign-in.ts'

/** An invited colleague chooses a username and a password. Opening the link changes nothing. */
export function Invitation() {
  const token = useLinkToken()
  const signIn = useSignIn()
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: async ({ signal }) =>
      (await call(readInvitation, { body: { token } }, { signal, timeoutMs: patienceMs })).data,
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

  const accept = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const username = textIn(form, 'username')
      const body = { token, username, password: valueIn(form, 'password'), device: deviceId() }
      await signIn(await call(acceptInvitation, { body }, { timeoutMs: patienceMs }))
    },
  })

  const unread = useMemo(
    () => error && problemFrom(error, 'The invitation could not be read.'),
    [error],
  )

  if (!token || isGone(error))
    return (
      <AuthPage title="No invitation here" say="This link no longer works." problem={null}>
        <p>
          It was used or taken back, or it is older than {limits.invitationHours} hours. Ask the
          colleague who sent it for a new one.
        </p>
        <OtherScreen to="/admin/login">Sign in</OtherScreen>
      </AuthPage>
    )

  if (!data)
    return (
      <AuthPage
        title="Your invitation"
        say={error ? 'It could not be read.' : 'One moment.'}
        problem={unread}
      >
        {error ? <Button onClick={() => void refetch()}>Try again</Button> : <Loading />}
      </AuthPage>
    )

  return (
    <AuthPage
      title="Welcome"
      say={
        <>
          You are invited as <b>{data.email}</b>, with the role {data.role}.
        </>
      }
      problem={null}
    >
      <CheckedForm
        error={accept.error}
        failed="The invitation was not accepted. Please try again."
        check={passwordsDiffer}
        onSend={accept.mutate}
      >
        <div className="form-grid">
          <Field
            name="username"
            label="Username"
            maxLength={limits.username.max}
            autoComplete="nickname"
            spellCheck={false}
            defaultValue={data.username ?? ''}
          />
          <NewPassword label="Password" />
        </div>
        <Button type="submit" className={styles.submit} busy={accept.isPending && 'Accepting...'}>
          Accept invitation
        </Button>
      </CheckedForm>
    </AuthPage>
  )
}

import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  type Factors,
  type Passkey,
  removePasskey,
  removeTotp,
  renamePasskey,
  renewRecoveryCodes,
} from '#contract/accounts/second-factor.ts'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { LinkButton } from '../components/button.tsx'
import { CheckedForm } from '../components/checked-form.tsx'
import { Confirm, Dialog, type Question } from '../components/dialog.tsx'
import { SubmitOrCancel, textIn } from '../components/form.tsx'
import { LoadProblem } from '../components/load-states.tsx'
import panel from '../components/panel.module.css'
import table from '../components/table.module.css'
import { Table } from '../components/table.tsx'
import { When } from '../components/when.tsx'
import { factorsQuery } from '../session/factors-query.ts'
import { queryClient } from '../session/query-client.ts'
import { ask, askOnce } from '../session/session.ts'
import { attempt, notify } from '../shell/notices.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpFactor } from './set-up-factor.tsx'

const hasFactor = ({ passkeys, totp }: Factors): boolean => passkeys.length > 0 || totp !== null

export function FactorsPanel() {
  const query = useQuery(factorsQuery)
  const { data } = query
  const [question, setQuestion] = useState<Question | null>(null)
  const [renaming, setRenaming] = useState<Passkey | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const section = useRef<HTMLElement>(null)

  useEffect(() => {
    // Links to this panel end in `#factors`. The screen was not loaded yet when the browser looked for it.
    if (location.hash === '#factors') section.current?.scrollIntoView()
  }, [])

  const act = async (work: () => Promise<void>, failed: string) => {
    await attempt(work, failed)
    await queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey })
  }

  const remove = ({ _id, name }: Passkey): Question => ({
    title: `Remove ${name}`,
    question:
      'This passkey no longer signs you in. Delete it on the device as well, so that it is not offered there.',
    action: 'Remove',
    onConfirm: () =>
      void act(async () => {
        await askOnce(removePasskey, { params: { id: _id } })
        notify({ text: `The passkey ${name} was removed.` })
      }, 'The passkey was not removed. Please try again.'),
  })

  const removeApp: Question = {
    title: 'Remove the authenticator app',
    question:
      'Its codes no longer sign you in. With your last factor the recovery codes end as well.',
    action: 'Remove',
    onConfirm: () =>
      void act(async () => {
        await askOnce(removeTotp, {})
        notify({ text: 'The authenticator app was removed.' })
      }, 'The authenticator app was not removed. Please try again.'),
  }

  const renew: Question = {
    title: 'New recovery codes',
    question: `You get ${limits.recoveryCodes} new codes. The ones you have now no longer work.`,
    action: 'Make new codes',
    onConfirm: () =>
      void act(async () => {
        setCodes((await ask(renewRecoveryCodes, {})).data.recoveryCodes)
      }, 'The new codes did not arrive, and the old ones may no longer work. Please try again.'),
  }

  const passkeyRow = (passkey: Passkey) => ({
    _id: passkey._id,
    name: (
      <>
        {passkey.name}{' '}
        <span className="soft">passkey{passkey.synced && ', on all your devices'}</span>
      </>
    ),
    added: <When at={passkey.createdAt} />,
    used: passkey.lastUsedAt ? <When at={passkey.lastUsedAt} /> : 'never',
    actions: (
      <div className={table.actions}>
        <LinkButton on={passkey.name} onClick={() => setRenaming(passkey)}>
          Rename
        </LinkButton>
        <LinkButton on={passkey.name} onClick={() => setQuestion(remove(passkey))}>
          Remove
        </LinkButton>
      </div>
    ),
  })

  const appRow = (confirmedAt: string) => ({
    _id: 'app',
    name: 'Authenticator app',
    added: <When at={confirmedAt} />,
    used: <span className="soft">not recorded</span>,
    actions: (
      <LinkButton on="the authenticator app" onClick={() => setQuestion(removeApp)}>
        Remove
      </LinkButton>
    ),
  })

  const codesRow = (left: number) => ({
    _id: 'codes',
    name: (
      <>
        Recovery codes <span className="soft">{left} left</span>
      </>
    ),
    added: '–',
    used: '–',
    actions: <LinkButton onClick={() => setQuestion(renew)}>New codes</LinkButton>,
  })

  return (
    <section ref={section} className={panel.panel} aria-labelledby="factors">
      <h2 id="factors">Second factor</h2>
      <p className={panel.say}>
        With a passkey or an authenticator app, a stolen password is not enough to sign in. A mail
        tells you of a new device, a changed password or factor, and a used recovery code.
      </p>
      <LoadProblem query={query} failed="Failed to load your second factors." />
      {data && hasFactor(data) && (
        <Table
          caption="Your second factors"
          columns={[
            ['Factor', ({ name }) => name],
            ['Added', ({ added }) => added],
            ['Last used', ({ used }) => used],
            ['Actions', ({ actions }) => actions],
          ]}
          rows={[
            ...data.passkeys.map(passkeyRow),
            ...(data.totp ? [appRow(data.totp.confirmedAt)] : []),
            codesRow(data.recoveryCodes),
          ]}
        />
      )}
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      ) : (
        data && <SetUpFactor hasApp={data.totp !== null} />
      )}
      {renaming && <Rename passkey={renaming} onClose={() => setRenaming(null)} />}
      {question && <Confirm {...question} onClose={() => setQuestion(null)} />}
    </section>
  )
}

function Rename({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const save = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const body = { name: textIn(form, 'name') }
      await askOnce(renamePasskey, { params: { id: passkey._id }, body })
      await queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey })
    },
    onSuccess: onClose,
  })

  return (
    <Dialog title={`Rename ${passkey.name}`} onClose={onClose}>
      <CheckedForm
        error={save.error}
        failed="The name was not saved. Please try again."
        onSend={save.mutate}
      >
        <div className="form-grid">
          <Field
            name="name"
            label="Name of the passkey"
            maxLength={limits.passkeyName}
            autoComplete="off"
            defaultValue={passkey.name}
          />
        </div>
        <SubmitOrCancel busy={save.isPending && 'Saving...'} onCancel={onClose}>
          Save name
        </SubmitOrCancel>
      </CheckedForm>
    </Dialog>
  )
}

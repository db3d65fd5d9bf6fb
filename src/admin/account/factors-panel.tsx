import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
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
import { Button, LinkButton } from '../components/button.tsx'
import { Confirm, Dialog } from '../components/dialog.tsx'
import panel from '../components/panel.module.css'
import table from '../components/table.module.css'
import { When } from '../components/when.tsx'
import { factorsQuery } from '../session/factors-query.ts'
import { ask, sentenceOf } from '../session/session.ts'
import { notify } from '../shell/notices.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpFactor } from './set-up-factor.tsx'

type Open =
  | { what: 'rename' | 'remove'; passkey: Passkey }
  | { what: 'remove-app' | 'renew' }
  | { what: 'codes'; codes: readonly string[] }
  | null

const hasFactor = ({ passkeys, totp }: Factors): boolean => passkeys.length > 0 || totp !== null

/** What signs the person in beside the password: passkeys, an authenticator app, recovery codes. */
export function FactorsPanel() {
  const client = useQueryClient()
  const { data, error } = useQuery(factorsQuery)
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)

  const act = async (work: () => Promise<void>, failed: string) => {
    try {
      await work()
    } catch (failure) {
      notify({ text: sentenceOf(failure, failed), tone: 'bad' })
    }
    await client.invalidateQueries({ queryKey: factorsQuery.queryKey })
  }

  const remove = ({ _id, name }: Passkey) =>
    act(async () => {
      await ask(removePasskey, { params: { id: _id } }, { idempotencyKey: crypto.randomUUID() })
      notify({ text: `The passkey ${name} was removed.` })
    }, 'The passkey was not removed. Please try again.')

  const removeApp = () =>
    act(async () => {
      await ask(removeTotp, {}, { idempotencyKey: crypto.randomUUID() })
      notify({ text: 'The authenticator app was removed.' })
    }, 'The authenticator app was not removed. Please try again.')

  const renew = () =>
    act(async () => {
      const answer = await ask(renewRecoveryCodes, {})
      setOpen({ what: 'codes', codes: answer.data.recoveryCodes })
    }, 'There are no new codes. Please try again.')

  return (
    <section className={panel.panel} aria-labelledby="factors">
      <h2 id="factors">Second factor</h2>
      <p className={panel.say}>
        With a passkey or an authenticator app, a stolen password is not enough to sign in. A mail
        tells you of a new device, a changed password or factor, and a used recovery code.
      </p>
      {error && !data && (
        <p className={table.problem}>{sentenceOf(error, 'Failed to load your second factors.')}</p>
      )}
      {data && hasFactor(data) && (
        <table className={table.table}>
          <caption className="vh">Your second factors</caption>
          <thead>
            <tr>
              <th scope="col">Factor</th>
              <th scope="col">Added</th>
              <th scope="col">Last used</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {data.passkeys.map((passkey) => (
              <tr key={passkey._id}>
                <th scope="row">
                  {passkey.name}{' '}
                  <span className={table.soft}>
                    passkey{passkey.synced && ', on all your devices'}
                  </span>
                </th>
                <td data-label="Added">
                  <When at={passkey.createdAt} />
                </td>
                <td data-label="Last used">
                  {passkey.lastUsedAt ? <When at={passkey.lastUsedAt} /> : 'never'}
                </td>
                <td data-label="Actions">
                  <div className={table.actions}>
                    <LinkButton
                      on={passkey.name}
                      onClick={() => setOpen({ what: 'rename', passkey })}
                    >
                      Rename
                    </LinkButton>
                    <LinkButton
                      on={passkey.name}
                      onClick={() => setOpen({ what: 'remove', passkey })}
                    >
                      Remove
                    </LinkButton>
                  </div>
                </td>
              </tr>
            ))}
            {data.totp && (
              <tr>
                <th scope="row">Authenticator app</th>
                <td data-label="Added">
                  <When at={data.totp.confirmedAt} />
                </td>
                <td data-label="Last used">
                  <span className={table.soft}>not recorded</span>
                </td>
                <td data-label="Actions">
                  <LinkButton
                    on="the authenticator app"
                    onClick={() => setOpen({ what: 'remove-app' })}
                  >
                    Remove
                  </LinkButton>
                </td>
              </tr>
            )}
            <tr>
              <th scope="row">
                Recovery codes <span className={table.soft}>{data.recoveryCodes} left</span>
              </th>
              <td data-label="Added">–</td>
              <td data-label="Last used">–</td>
              <td data-label="Actions">
                <LinkButton onClick={() => setOpen({ what: 'renew' })}>New codes</LinkButton>
              </td>
            </tr>
          </tbody>
        </table>
      )}
      {open?.what === 'codes' ? (
        <RecoveryCodes codes={open.codes} onDone={close} />
      ) : (
        data && <SetUpFactor hasApp={data.totp !== null} onDone={() => undefined} />
      )}
      {open?.what === 'rename' && <Rename passkey={open.passkey} onClose={close} />}
      {open?.what === 'remove' && (
        <Confirm
          title={`Remove ${open.passkey.name}`}
          question="This passkey no longer signs you in. Delete it on the device as well, so that it is not offered there."
          action="Remove"
          onClose={close}
          onConfirm={() => void remove(open.passkey)}
        />
      )}
      {open?.what === 'remove-app' && (
        <Confirm
          title="Remove the authenticator app"
          question="Its codes no longer sign you in. With your last factor the recovery codes end as well."
          action="Remove"
          onClose={close}
          onConfirm={() => void removeApp()}
        />
      )}
      {open?.what === 'renew' && (
        <Confirm
          title="New recovery codes"
          question={`You get ${limits.recoveryCodes} new codes. The ones you have now no longer work.`}
          action="Make new codes"
          onClose={close}
          onConfirm={() => void renew()}
        />
      )}
    </section>
  )
}

function Rename({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const client = useQueryClient()
  const id = useId()
  const [problem, setProblem] = useState<{ text: string } | null>(null)
  const [saving, setSaving] = useState(false)
  const alert = useRef<HTMLParagraphElement>(null)

  useEffect(() => {
    if (problem) alert.current?.focus()
  }, [problem])

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    if (!name) return setProblem({ text: 'Please fill in all required fields' })
    setSaving(true)
    try {
      await ask(
        renamePasskey,
        { params: { id: passkey._id }, body: { name } },
        { idempotencyKey: crypto.randomUUID() },
      )
      await client.invalidateQueries({ queryKey: factorsQuery.queryKey })
      onClose()
    } catch (error) {
      setProblem({ text: sentenceOf(error, 'The name was not saved. Please try again.') })
      setSaving(false)
    }
  }

  return (
    <Dialog title={`Rename ${passkey.name}`} onClose={onClose}>
      {problem && (
        <p className={table.problem} role="alert" tabIndex={-1} ref={alert}>
          {problem.text}
        </p>
      )}
      <form noValidate onSubmit={(event) => void submit(event)}>
        <div className="plan">
          <Field
            id={`${id}-name`}
            name="name"
            label="Name of the passkey"
            maxLength={limits.passkeyName}
            autoComplete="off"
            defaultValue={passkey.name}
          />
        </div>
        <div className={panel.actions}>
          <Button type="submit" busy={saving && 'Saving...'}>
            Save name
          </Button>
          <Button look="line" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

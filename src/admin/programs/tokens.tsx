import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addToken,
  endToken,
  endUserToken,
  endUserTokens,
  listTokens,
  listUserTokens,
  type Token,
} from '#contract/accounts/tokens.ts'
import type { User } from '#contract/accounts/users.ts'
import { dayFrom } from '#contract/fields.ts'
import { type Scope, scopes } from '#contract/http/access.ts'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { Button, Close, LinkButton } from '../components/button.tsx'
import { CheckedForm } from '../components/checked-form.tsx'
import { Confirm, Dialog } from '../components/dialog.tsx'
import { NameField, SubmitOrCancel, textIn } from '../components/form.tsx'
import { LoadFailed } from '../components/load-failed.tsx'
import { LoadProblem } from '../components/load-states.tsx'
import panel from '../components/panel.module.css'
import { Table } from '../components/table.tsx'
import { TextLink } from '../components/text-link.tsx'
import { When } from '../components/when.tsx'
import { dayOf } from '../format/dates.ts'
import { useMay } from '../session/profile.ts'
import { dataQuery, queryClient } from '../session/query-client.ts'
import { ask, askOnce, sentenceOf } from '../session/session.ts'
import { notify, useAction } from '../shell/notices.tsx'
import { CheckList, needsOne } from './check-list.tsx'
import { Secret } from './secret.tsx'

const scopeTexts: Record<Scope, { label: string; opens: string }> = {
  read: {
    label: 'Read',
    opens: 'Lists, records, figures and templates; applications without names.',
  },
  draft: { label: 'Draft', opens: 'Drafts and notes, which staff see. Sends nothing.' },
  write: { label: 'Write', opens: 'Status, assignee, snooze and messages to senders.' },
  contacts: {
    label: 'Addresses and numbers',
    opens: 'Without it, e-mail addresses and phone numbers are left out.',
  },
}

const ownKey = ['tokens']

interface Props {
  caption: string
  tokens: readonly Token[]
  busy: boolean
  onEnd: (token: Token) => void
}

function TokenTable({ caption, tokens, busy, onEnd }: Props) {
  return (
    <Table
      caption={caption}
      columns={[
        ['Name', ({ name }) => name],
        ['May', (token) => token.scopes.map((scope) => scopeTexts[scope].label).join(', ')],
        ['Ends', ({ expiresAt }) => <When at={expiresAt} as={dayOf} />],
        ['Last used', ({ lastUsedAt }) => (lastUsedAt ? <When at={lastUsedAt} /> : 'never')],
        [
          'Actions',
          (token) => (
            <LinkButton on={token.name} busy={busy} onClick={() => onEnd(token)}>
              End
            </LinkButton>
          ),
        ],
      ]}
      rows={tokens}
    />
  )
}

/** One's own tokens for programs, in the account screen. */
export function TokensPanel() {
  const isManager = useMay('users.manage')
  const query = useQuery(dataQuery(ownKey, listTokens, {}))
  const { data } = query
  const [isAdding, setAdding] = useState(false)
  const [ending, setEnding] = useState<Token | null>(null)
  const end = useAction(async ({ _id, name }: Token) => {
    await askOnce(endToken, { params: { id: _id } })
    await queryClient.invalidateQueries({ queryKey: ownKey })
    notify({ text: `The token ${name} no longer works.` })
  }, 'The token was not ended. Please try again.')
  return (
    <section className={panel.panel} aria-labelledby="programs">
      <h2 id="programs">Programs</h2>
      <p className={panel.say}>
        A program calls the API with a token instead of your password. It may never do more than
        you.
      </p>
      <LoadProblem query={query} failed="Failed to load your tokens." />
      <TokenTable
        caption="Your tokens"
        tokens={data ?? []}
        busy={end.isPending}
        onEnd={setEnding}
      />
      <div className={panel.actions}>
        <Button look="line" onClick={() => setAdding(true)}>
          Make a token
        </Button>
        {isManager && <TextLink to="/admin/programs">Webhooks, agents and visits</TextLink>}
      </div>
      {isAdding && <NewToken onClose={() => setAdding(false)} />}
      {ending && (
        <Confirm
          title={`End ${ending.name}`}
          question="Programs that use this token are refused from now on."
          action="End token"
          onConfirm={() => end.mutate(ending)}
          onClose={() => setEnding(null)}
        />
      )}
    </section>
  )
}

/** Days are the reader's own: the last one ends within a year in every zone. */
const inDays = (days: number): string => dayFrom(new Date(), { days })

function NewToken({ onClose }: { onClose: () => void }) {
  const make = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const name = textIn(form, 'name')
      const chosen = new FormData(form).getAll('scopes') as Scope[]
      const expiresAt = new Date(`${textIn(form, 'expiresAt')}T23:59:59`).toISOString()
      return (await ask(addToken, { body: { name, scopes: chosen, expiresAt } })).data
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ownKey }),
  })
  if (make.data)
    return (
      <Dialog title={`The token ${make.data.name}`} onClose={null}>
        <Secret name="Token" value={make.data.token} onDone={onClose} />
      </Dialog>
    )
  // Closed too early, nobody would see the token.
  const close = make.isPending ? null : onClose
  return (
    <Dialog title="Make a token" onClose={close}>
      <CheckedForm
        error={make.error}
        failed="The token was not made. Please try again."
        check={needsOne('scopes', 'Choose what the program may do')}
        onSend={make.mutate}
      >
        <div className="form-grid">
          <NameField
            hint="The program that will use it. The audit log names it beside you."
            maxLength={limits.tokenName}
          />
          <Field
            name="expiresAt"
            label="Ends on"
            type="date"
            min={inDays(1)}
            max={inDays(363)}
            defaultValue={inDays(90)}
          />
        </div>
        <CheckList
          legend="It may"
          name="scopes"
          chosen={['read']}
          options={scopes.map((value) => ({ value, ...scopeTexts[value] }))}
        />
        <SubmitOrCancel busy={make.isPending && 'Making...'} onCancel={close}>
          Make token
        </SubmitOrCancel>
      </CheckedForm>
    </Dialog>
  )
}

export function UserTokens({ user, onClose }: { user: User; onClose: () => void }) {
  const queryKey = ['tokens', user._id]
  const { data, error, refetch } = useQuery(
    dataQuery(queryKey, listUserTokens, { params: { id: user._id } }),
  )
  const end = useAction(async (one: Token | null) => {
    const params = { id: user._id }
    if (one) await askOnce(endUserToken, { params: { ...params, token: one._id } })
    else await askOnce(endUserTokens, { params })
    await queryClient.invalidateQueries({ queryKey })
    notify({ text: one ? `The token ${one.name} no longer works.` : 'All tokens have ended.' })
  }, 'That was not ended. Please try again.')
  return (
    <Dialog
      title={`Tokens of ${user.username}`}
      onClose={onClose}
      foot={
        <>
          {data && data.length > 1 && (
            <Button
              look="line danger"
              busy={end.isPending && 'Ending...'}
              onClick={() => end.mutate(null)}
            >
              End all
            </Button>
          )}
          <Close onClick={onClose} />
        </>
      }
    >
      {error && (
        <LoadFailed sentence={sentenceOf(error, 'Failed to load the tokens.')} retry={refetch} />
      )}
      {data?.length === 0 && <p>No program acts for {user.username}.</p>}
      <TokenTable
        caption={`Tokens of ${user.username}`}
        tokens={data ?? []}
        busy={end.isPending}
        onEnd={end.mutate}
      />
    </Dialog>
  )
}

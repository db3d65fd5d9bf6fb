import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { listCollections } from '#contract/content/desk.ts'
import { readSetup, type SetupItem, type SetupKey, setSetup, testMail } from '#contract/setup.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { StageMark } from '../components/icon.tsx'
import { TextLink } from '../components/text-link.tsx'
import { dateTimeOf } from '../format/dates.ts'
import { lazyComponent } from '../router/lazy-component.tsx'
import { Link } from '../router/link.tsx'
import type { ScreenPath } from '../screens.ts'
import { useMay } from '../session/profile.ts'
import { dataQuery, queryClient } from '../session/query-client.ts'
import { ask, outageOf, sentenceOf } from '../session/session.ts'
import { useAction } from '../shell/notices.tsx'
import styles from './setup.module.css'

const TemplatesDialog = lazyComponent(() =>
  import('../record/composer/templates-dialog.tsx').then((m) => m.TemplatesDialog),
)

const setupQuery = dataQuery(['setup'], readSetup, {})

/**
 * Open steps of setting up, for those who may; empty once all are done or skipped. It is loading until
 * the first answer or failure: the next try keeps nobody waiting.
 */
export const useSetup = (): { items: readonly SetupItem[]; isLoading: boolean } => {
  const query = useQuery({ ...setupQuery, enabled: useMay('users.manage') })
  const { data = [], isLoading, failureCount } = query
  return {
    items: data.some(({ state }) => state === 'open') ? data : [],
    isLoading: isLoading && failureCount === 0,
  }
}

/** Nothing works without these: the screen lets nobody skip them. */
const needed: readonly SetupKey[] = ['password', 'mail']

interface Step {
  name: string
  /** The sentence for an open step. */
  say: (item: SetupItem) => ReactNode
  /** A screen that does it, with the place in it. */
  go?: readonly [action: string, hash?: string]
}

const steps: Record<SetupKey, Step> = {
  password: {
    name: 'Password',
    say: () => 'Still the one from the installation.',
    go: ['Change it'],
  },
  second_factor: {
    name: 'Second factor',
    say: () => 'Only a password protects your account. A passkey takes a minute.',
    go: ['Add one', 'factors'],
  },
  site_address: {
    name: 'Site address',
    say: ({ now }) => (
      <>
        Links in mail begin with {now}, which only this machine reaches. <code>SITE_URL</code> sets
        the public one.
      </>
    ),
  },
  mail: { name: 'Mail', say: () => 'Answers leave only when this works.' },
  reply_address: {
    name: 'Reply address',
    say: () => (
      <>
        Replies to your mail reach nobody. <code>REPLY_DOMAIN</code> and <code>INBOUND_SECRET</code>{' '}
        say where.
      </>
    ),
  },
  colleagues: {
    name: 'Colleagues',
    say: () => 'You are the only one.',
    go: ['Invite someone', 'invite'],
  },
  templates: {
    name: 'Starter templates',
    say: () => 'Nobody has changed them yet. Skip this if they suit you.',
  },
  sample_content: {
    name: 'Sample texts',
    say: ({ count = 0 }) =>
      `${count} still ${count === 1 ? 'stands' : 'stand'} on the site, each marked “Sample”.`,
    go: ['Go through them'],
  },
  backup: {
    name: 'Backup',
    say: () => (
      <>
        None has run yet. On the server: <code>npm run backup -- FILE</code>
      </>
    ),
  },
}

const allKeys = Object.keys(steps) as SetupKey[]
const nineDashes = { pathLength: allKeys.length, strokeDasharray: '.72 .28' }

/** The list of the first days: each step says what is so, and is done here or by its link. */
export function Setup({ items }: { items: readonly SetupItem[] }) {
  const open = items.filter(({ state }) => state === 'open')
  const done = items.filter(({ state }) => state === 'done').length
  const skipped = items.length - open.length - done
  const [isShown, setIsShown] = useState(open.length > 4)
  if (!isShown)
    return (
      <section className={styles.line} aria-label="Set up your site">
        <svg viewBox="0 0 90 6" aria-hidden="true">
          <path {...nineDashes} d="M0 3H90" />
          <path className={styles.done} {...dashesDone(items.length - open.length)} d="M0 3H90" />
        </svg>
        <p>
          <b>
            {open.length} of {items.length} left to set up:
          </b>{' '}
          {open.map(({ key }) => steps[key].name.toLowerCase()).join(', ')}
        </p>
        <LinkButton onClick={() => setIsShown(true)}>Show the list</LinkButton>
      </section>
    )
  const first = open[0]?.key
  return (
    <div className={styles.two}>
      <section className={styles.frame} aria-labelledby="setup">
        <header>
          <div>
            <h2 id="setup">Set up your site</h2>
            <p>
              {done} of {items.length} done{skipped > 0 && `, ${skipped} skipped`}. Each row does
              it, or says how.
            </p>
          </div>
          <svg viewBox="0 0 400 40" aria-hidden="true">
            <path {...nineDashes} d="M2 32C110 2 280 0 396 14" />
            <path
              className={styles.done}
              {...dashesDone(items.length - open.length)}
              d="M2 32C110 2 280 0 396 14"
            />
          </svg>
        </header>
        <ol>
          {items.map((item) => (
            <Row key={item.key} item={item} isFirst={item.key === first} />
          ))}
        </ol>
      </section>
      <Samples item={items.find(({ key }) => key === 'sample_content')} />
    </div>
  )
}

const dashesDone = (n: number) => ({
  pathLength: allKeys.length,
  strokeDasharray: `${'.72 .28 '.repeat(n)}0 ${allKeys.length}`,
})

function Row({ item, isFirst }: { item: SetupItem; isFirst: boolean }) {
  const { key, state, where, now } = item
  const { name, say, go } = steps[key]
  const [readsTemplates, setReadsTemplates] = useState(false)
  const set = useAction(async (next: 'open' | 'skipped') => {
    const { data } = await ask(setSetup, { params: { key }, body: { state: next } })
    queryClient.setQueryData(setupQuery.queryKey, data)
  }, 'That was not saved. Please try again.')
  const again = useAction(
    () => queryClient.refetchQueries({ queryKey: setupQuery.queryKey }, { throwOnError: true }),
    'That was not checked. Please try again.',
  )
  const test = useMutation({
    mutationFn: async () => (await ask(testMail, {})).data,
    onSettled: () => queryClient.invalidateQueries({ queryKey: setupQuery.queryKey }),
  })
  const look = isFirst ? {} : ({ look: 'line' } as const)
  if (state === 'done')
    return (
      <li className={styles.isDone}>
        <StageMark stage="done" label="Done" />
        <p>
          <b>{name}</b>{' '}
          <span>
            {test.data ? sentTo(test.data) : now && (isTime(now) ? dateTimeOf(now) : now)}
          </span>
        </p>
      </li>
    )
  return (
    <li data-skipped={state === 'skipped' || undefined}>
      <StageMark
        stage={state === 'skipped' ? 'snoozed' : 'waiting'}
        label={state === 'skipped' ? 'Skipped' : 'Open'}
      />
      <div>
        <b>{name}</b>
        <p>
          {state === 'skipped' && 'Skipped. '}
          {say(item)}
        </p>
      </div>
      <div className={styles.actions}>
        {go && (
          <Link
            className={isFirst ? 'btn small' : 'btn small line'}
            to={where as ScreenPath}
            hash={go[1]}
          >
            {go[0]}
          </Link>
        )}
        {key === 'mail' && (
          <Button {...look} busy={test.isPending && 'Sending...'} onClick={() => test.mutate()}>
            {test.data || test.error ? 'Try again' : 'Send a test mail'}
          </Button>
        )}
        {key === 'templates' && (
          <Button {...look} onClick={() => setReadsTemplates(true)}>
            Read them
          </Button>
        )}
        {!go && key !== 'mail' && key !== 'templates' && (
          <Button {...look} busy={again.isPending && 'Checking...'} onClick={() => again.mutate()}>
            Check again
          </Button>
        )}
        {state === 'open' && !needed.includes(key) && (
          <LinkButton on={name} busy={set.isPending} onClick={() => set.mutate('skipped')}>
            Skip
          </LinkButton>
        )}
        {state === 'skipped' && (
          <LinkButton on={name} busy={set.isPending} onClick={() => set.mutate('open')}>
            Take up again
          </LinkButton>
        )}
      </div>
      {(test.error || test.data?.problem) && (
        <div className={styles.refused} role="alert">
          <p>
            <b>Not sent:</b>{' '}
            {test.data?.problem ??
              sentenceOf(test.error, `The server ${outageOf(test.error).cause}.`)}
          </p>
          <p>
            Who runs the server sets <code>RESEND_API_KEY</code> and <code>MAIL_FROM</code>.{' '}
            <TextLink to="/admin/mail">Outgoing mail</TextLink>
          </p>
        </div>
      )}
      {readsTemplates && (
        <TemplatesDialog
          onClose={() => {
            setReadsTemplates(false)
            again.mutate()
          }}
        />
      )}
    </li>
  )
}

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT/.test(text)

const sentTo = ({ to, at, local }: { to: string; at: string; local: boolean }): string =>
  `${dateTimeOf(at)}, to ${to}${local ? '. No provider is set: it lies in the local mailbox.' : ''}`

/** The samples by collection, each with the way to its texts. */
function Samples({ item }: { item: SetupItem | undefined }) {
  const parts = item?.state === 'open' && item.parts
  const { data } = useQuery({
    ...dataQuery(['setup', 'collections'], listCollections, {}),
    enabled: Boolean(parts),
  })
  if (!parts) return null
  const labels = new Map(data?.map(({ collection, label }) => [collection, label]))
  return (
    <section aria-labelledby="samples">
      <h2 id="samples">Sample texts on the site</h2>
      <ul className={styles.samples}>
        {parts.map(({ collection, count }) => {
          const label = labels.get(collection) ?? collection
          return (
            <li key={collection}>
              {label} <b>{count}</b>
              <TextLink to="/admin/site" search={{ collection }}>
                Replace<span className="visually-hidden"> {label}</span>
              </TextLink>
            </li>
          )
        })}
      </ul>
      <p>
        {item.count} in all. A site deployed with samples says so on each page until the next deploy
        without them.
      </p>
    </section>
  )
}

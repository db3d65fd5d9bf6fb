import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  changeEndpoint,
  listEndpoints,
  removeEndpoint,
  renewSecret,
  testEndpoint,
  type WebhookEndpoint,
} from '#contract/programs/endpoints.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { Confirm, Dialog, type Question } from '../components/dialog.tsx'
import { LoadState } from '../components/load-states.tsx'
import panel from '../components/panel.module.css'
import table from '../components/table.module.css'
import { Table } from '../components/table.tsx'
import { When } from '../components/when.tsx'
import { dataQuery, queryClient } from '../session/query-client.ts'
import { ask, askOnce } from '../session/session.ts'
import { attempt, notify } from '../shell/notices.tsx'
import { Deliveries } from './deliveries.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import styles from './programs.module.css'
import { Secret } from './secret.tsx'

const endpointsQuery = dataQuery(['endpoints'], listEndpoints, {})

type Open =
  | { what: 'add' }
  | { what: 'edit' | 'deliveries'; endpoint: WebhookEndpoint }
  | { what: 'secret'; secret: string }
  | null

interface Job {
  work: () => Promise<unknown>
  done?: string
  failed: string
}

function State({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { enabled, disabled, problem } = endpoint
  if (disabled)
    return (
      <span className="bad">
        Switched off <When at={disabled.at} />:{' '}
        {disabled.reason === 'gone' ? 'it said that it is gone' : 'it failed for five days'}
        {disabled.problem && ` (${disabled.problem})`}
      </span>
    )
  if (!enabled) return 'Off'
  return problem ? <span className="bad">On, last try failed: {problem}</span> : 'On'
}

export function Endpoints() {
  const endpoints = useQuery(endpointsQuery)
  const { data } = endpoints
  const [open, setOpen] = useState<Open>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const close = () => setOpen(null)

  const { mutate, isPending } = useMutation({
    mutationFn: async ({ work, done, failed }: Job) => {
      await attempt(async () => {
        await work()
        if (done) notify({ text: done })
      }, failed)
      await queryClient.invalidateQueries({ queryKey: endpointsQuery.queryKey })
    },
  })

  const actions = (endpoint: WebhookEndpoint) => {
    const params = { id: endpoint._id }
    const { host } = new URL(endpoint.url)
    if (endpoint._id === 'environment') return <span className="soft">Set by WEBHOOK_URL</span>
    return (
      <div className={table.actions}>
        <LinkButton on={host} onClick={() => setOpen({ what: 'edit', endpoint })}>
          Edit
        </LinkButton>
        <LinkButton
          on={host}
          busy={isPending}
          onClick={() =>
            mutate({
              work: () => askOnce(changeEndpoint, { params, body: { enabled: !endpoint.enabled } }),
              done: `${host} is ${endpoint.enabled ? 'off' : 'on'}.`,
              failed: 'That was not changed. Please try again.',
            })
          }
        >
          {endpoint.enabled ? 'Switch off' : 'Switch on'}
        </LinkButton>
        <LinkButton
          on={`to ${host}`}
          busy={isPending}
          onClick={() =>
            mutate({
              work: async () => {
                await askOnce(testEndpoint, { params })
                setOpen({ what: 'deliveries', endpoint })
              },
              failed: 'The test was not sent. Please try again.',
            })
          }
        >
          Send a test
        </LinkButton>
        <LinkButton on={`to ${host}`} onClick={() => setOpen({ what: 'deliveries', endpoint })}>
          Deliveries
        </LinkButton>
        <LinkButton
          on={`for ${host}`}
          onClick={() =>
            setQuestion({
              title: `New secret for ${host}`,
              question: 'For 24 hours both the new and the old secret sign; then the old one ends.',
              action: 'Make a new secret',
              onConfirm: () =>
                mutate({
                  work: async () => {
                    const { secret } = (await ask(renewSecret, { params })).data
                    setOpen({ what: 'secret', secret })
                  },
                  failed: 'There is no new secret. Please try again.',
                }),
            })
          }
        >
          New secret
        </LinkButton>
        <LinkButton
          on={host}
          onClick={() =>
            setQuestion({
              title: `Remove ${host}`,
              question: 'It hears of nothing any more, and its deliveries are forgotten.',
              action: 'Remove',
              onConfirm: () =>
                mutate({
                  work: () => askOnce(removeEndpoint, { params }),
                  done: `${host} is removed.`,
                  failed: 'It was not removed. Please try again.',
                }),
            })
          }
        >
          Remove
        </LinkButton>
      </div>
    )
  }

  return (
    <section className={styles.section} aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <p className={panel.say}>
        Another system is called when something happens here. Each call is signed; it carries ids
        and times, and what people wrote only where you say so.
      </p>
      <LoadState query={endpoints} failed="Failed to load the webhooks. Please try again." />
      <Table
        caption="Webhooks"
        columns={[
          ['Address', ({ url }) => <span className={styles.address}>{url}</span>],
          [
            'Hears of',
            ({ events, details }) => (
              <>
                {events.join(', ')}
                {details && <span className="soft"> with what people wrote</span>}
              </>
            ),
          ],
          ['State', (endpoint) => <State endpoint={endpoint} />],
          ['Actions', actions],
        ]}
        rows={data ?? []}
      />
      {data && (
        <div className={panel.actions}>
          <Button look="line" onClick={() => setOpen({ what: 'add' })}>
            Add a webhook
          </Button>
        </div>
      )}
      {open?.what === 'add' && <EndpointForm onClose={close} />}
      {open?.what === 'edit' && <EndpointForm endpoint={open.endpoint} onClose={close} />}
      {open?.what === 'deliveries' && <Deliveries endpoint={open.endpoint} onClose={close} />}
      {open?.what === 'secret' && (
        <Dialog title="The new secret" onClose={null}>
          <Secret name="Signing secret" value={open.secret} onDone={close} />
        </Dialog>
      )}
      {question && <Confirm {...question} onClose={() => setQuestion(null)} />}
    </section>
  )
}

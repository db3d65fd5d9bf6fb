import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listMail, type MailMessage, retryMail } from '#contract/mail/mail.ts'
import { LinkButton } from '../components/button.tsx'
import { Empty } from '../components/empty.tsx'
import { byCursor, LoadState, ShowMore } from '../components/load-states.tsx'
import panel from '../components/panel.module.css'
import { Segments } from '../components/segments.tsx'
import table from '../components/table.module.css'
import { Table } from '../components/table.tsx'
import { TextLink } from '../components/text-link.tsx'
import { When } from '../components/when.tsx'
import { blind, candidateName } from '../record/blind.ts'
import { keys } from '../record/keys.ts'
import { useParameter } from '../router/use-parameter.ts'
import { useMay } from '../session/profile.ts'
import { queryClient } from '../session/query-client.ts'
import { ask } from '../session/session.ts'
import { notify, useAction } from '../shell/notices.tsx'
import { isOff } from '../site.ts'

const kindTexts: Record<MailMessage['kind'], string> = {
  staff: 'Notice to staff',
  acknowledgement: 'Confirmation to the sender',
  webhook: 'Call to another system',
  message: 'Message to the sender',
  account: 'Mail to a staff account',
  code: 'Code by mail',
  digest: 'Daily digest',
}

const shownStatuses = ['failed', 'waiting', 'sent'] as const
type Shown = (typeof shownStatuses)[number]

const statusTexts: Record<Shown, { label: string; none: string; elsewhere: string }> = {
  failed: {
    label: 'Failed',
    none: 'No message has failed',
    elsewhere: 'What is still on its way is under Waiting. ',
  },
  waiting: {
    label: 'Waiting',
    none: 'No message is waiting',
    elsewhere: 'What could not be sent is under Failed. ',
  },
  sent: {
    label: 'Sent',
    none: 'No message was sent in the last 30 days',
    elsewhere: 'What is still on its way is under Waiting. ',
  },
}

/** An address; of an application that is read blind its number. */
const recipient = ({ to = '', candidate }: MailMessage): string =>
  candidate === undefined ? to : candidateName(candidate)

const lastColumns: Record<Shown, readonly [string, (message: MailMessage) => ReactNode]> = {
  failed: ['Reason', ({ lastError }) => lastError ?? 'Unknown'],
  waiting: ['Next attempt', ({ nextAttemptAt: at }) => at && <When at={at} />],
  sent: ['Sent', ({ sentAt: at }) => at && <When at={at} />],
}

/** Messages that failed, still wait or were sent in 30 days, without their text. */
export function Mail() {
  const [status, setStatus] = useParameter('status', shownStatuses, 'failed')
  const mayRetry = useMay('records.change')
  const mail = useInfiniteQuery({
    queryKey: ['mail', status],
    queryFn: ({ pageParam, signal }) =>
      ask(listMail, { query: { ...blind, status, cursor: pageParam } }, { signal }),
    ...byCursor,
  })
  const { data } = mail
  const other = status === 'waiting' ? 'failed' : 'waiting'
  const messages = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <>
      <h1>Outgoing mail</h1>
      <Segments
        legend="Which messages"
        options={shownStatuses.map((value) => [value, statusTexts[value].label])}
        value={status}
        onChange={setStatus}
      />
      <div className={panel.state}>
        <LoadState query={mail} failed="Failed to load the mail. Please try again." />
        {data && messages.length === 0 && (
          <Empty text={statusTexts[status].none}>
            {statusTexts[status].elsewhere}
            <LinkButton onClick={() => setStatus(other)}>Show {other} messages</LinkButton>
          </Empty>
        )}
      </div>
      <Table
        columns={[
          ['Message', ({ kind }) => kindTexts[kind]],
          ['To', recipient],
          ['Attempts', ({ attempts }) => attempts],
          lastColumns[status],
          [
            'Actions',
            (message) => (
              <div className={table.actions}>
                {message.record && !isOff(message.record.kind) && (
                  <TextLink
                    to={`/admin/${message.record.kind}`}
                    search={{ id: message.record._id }}
                  >
                    Open record
                  </TextLink>
                )}
                {mayRetry && status === 'failed' && <Retry message={message} />}
              </div>
            ),
          ],
        ]}
        rows={messages}
      />
      <ShowMore label="Show more" query={mail} />
    </>
  )
}

function Retry({ message }: { message: MailMessage }) {
  const retry = useAction(async () => {
    await ask(retryMail, { params: { id: message._id }, query: blind })
    notify({ text: `The message to ${recipient(message)} will be sent again` })
    document.getElementById('main')?.focus()
    await queryClient.invalidateQueries({ queryKey: ['mail'] })
    await queryClient.invalidateQueries({ queryKey: keys.stats })
  }, 'The message could not be retried.')
  return (
    <LinkButton busy={retry.isPending} onClick={() => retry.mutate()}>
      Try again
    </LinkButton>
  )
}

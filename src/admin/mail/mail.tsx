import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { listMail, type MailMessage, retryMail } from '#contract/mail/mail.ts'
import buttons from '../components/button.module.css'
import { LinkButton } from '../components/button.tsx'
import { Empty } from '../components/empty.tsx'
import { LoadFailed, ShowMore } from '../components/load-states.tsx'
import panel from '../components/panel.module.css'
import table from '../components/table.module.css'
import { When } from '../components/when.tsx'
import { useMay } from '../session/profile.ts'
import { ask, sentenceOf } from '../session/session.ts'
import { notify } from '../shell/notices.tsx'

const kindTexts: Record<MailMessage['kind'], string> = {
  staff: 'Notice to staff',
  acknowledgement: 'Confirmation to the sender',
  webhook: 'Call to another system',
  message: 'Message to the sender',
  account: 'Mail to a staff account',
  code: 'Code by mail',
}

/** Messages that failed or still wait, without their text. */
export function Mail() {
  const [status, setStatus] = useState<'failed' | 'waiting'>('failed')
  const mayRetry = useMay('records.change')
  const mail = useInfiniteQuery({
    queryKey: ['mail', status],
    queryFn: ({ pageParam, signal }) =>
      ask(listMail, { query: { status, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.meta.nextCursor ?? undefined,
  })
  const { data, error, isPending, refetch } = mail
  const other = status === 'failed' ? 'waiting' : 'failed'
  const messages = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <>
      <h1>Outgoing mail</h1>
      <fieldset className={panel.choice}>
        <legend className="vh">Which messages</legend>
        {(['failed', 'waiting'] as const).map((value) => (
          <button
            key={value}
            type="button"
            aria-pressed={status === value}
            onClick={() => setStatus(value)}
          >
            {value === 'failed' ? 'Failed' : 'Waiting'}
          </button>
        ))}
      </fieldset>
      <div className={panel.state}>
        {error && (
          <LoadFailed
            sentence={sentenceOf(error, 'Failed to load the mail. Please try again.')}
            retry={refetch}
          />
        )}
        {isPending && <p role="status">Loading...</p>}
        {data && messages.length === 0 && (
          <Empty text={status === 'failed' ? 'No message has failed' : 'No message is waiting'}>
            {status === 'failed'
              ? 'What is still on its way stands under Waiting. '
              : 'What could not be sent stands under Failed. '}
            <LinkButton onClick={() => setStatus(other)}>Show {other} messages</LinkButton>
          </Empty>
        )}
      </div>
      {messages.length > 0 && (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Message</th>
              <th scope="col">To</th>
              <th scope="col">Attempts</th>
              <th scope="col">{status === 'failed' ? 'Reason' : 'Next attempt'}</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {messages.map((message) => (
              <tr key={message._id}>
                <th scope="row">{kindTexts[message.kind]}</th>
                <td data-label="To">{message.to}</td>
                <td data-label="Attempts">{message.attempts}</td>
                <td data-label={status === 'failed' ? 'Reason' : 'Next'}>
                  {status === 'failed'
                    ? (message.lastError ?? 'Unknown')
                    : message.nextAttemptAt && <When at={message.nextAttemptAt} />}
                </td>
                <td data-label="Actions">
                  <div className={table.actions}>
                    {message.record && (
                      <Link
                        className={buttons.link}
                        to={`/admin/${message.record.kind}`}
                        search={{ id: message.record._id }}
                      >
                        Open record
                      </Link>
                    )}
                    {mayRetry && status === 'failed' && <Retry message={message} />}
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <ShowMore label="Show more" query={mail} />
    </>
  )
}

function Retry({ message }: { message: MailMessage }) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)

  const retry = async () => {
    setBusy(true)
    try {
      await ask(retryMail, { params: { id: message._id } })
      notify({ text: `The message to ${message.to} will be sent again` })
      document.getElementById('main')?.focus()
      await client.invalidateQueries({ queryKey: ['mail'] })
      await client.invalidateQueries({ queryKey: ['stats'] })
    } catch (error) {
      notify({ text: sentenceOf(error, 'The message could not be retried.'), tone: 'bad' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <LinkButton disabled={busy} onClick={() => void retry()}>
      Try again
    </LinkButton>
  )
}

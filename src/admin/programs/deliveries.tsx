import { useInfiniteQuery } from '@tanstack/react-query'
import {
  listDeliveries,
  retryDelivery,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '#contract/programs/endpoints.ts'
import { Button, Close, LinkButton } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { byCursor, LoadState, ShowMore } from '../components/load-states.tsx'
import { Table } from '../components/table.tsx'
import { When } from '../components/when.tsx'
import { queryClient } from '../session/query-client.ts'
import { ask, askOnce } from '../session/session.ts'
import { notify, useAction } from '../shell/notices.tsx'

const POLL_MS = 2_000

/** An answer comes within seconds, unless the webhook is switched off or the record set apart. */
const WAIT_MS = 30_000

/** True for a new delivery, and one that is sent again about now. */
const isUnderWay = ({ state, nextAt }: WebhookDelivery): boolean =>
  state === 'waiting' && Math.abs(Date.now() - Date.parse(nextAt ?? '')) < WAIT_MS

function Outcome({ delivery }: { delivery: WebhookDelivery }) {
  const { state, attempts, nextAt } = delivery
  const last = attempts.at(-1)
  const answer = last && (last.problem ?? `status ${last.status} in ${last.ms} ms`)
  if (state === 'delivered') return <>Delivered, {answer}</>
  if (state === 'failed') return <span className="bad">Failed, {answer}</span>
  return (
    <>
      Waiting{answer && `, last try: ${answer}`}
      {nextAt && (
        <>
          , next <When at={nextAt} />
        </>
      )}
    </>
  )
}

export function Deliveries({
  endpoint,
  onClose,
}: {
  endpoint: WebhookEndpoint
  onClose: () => void
}) {
  const queryKey = ['deliveries', endpoint._id]
  const deliveries = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      ask(
        listDeliveries,
        { params: { id: endpoint._id }, query: { cursor: pageParam } },
        { signal },
      ),
    ...byCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isUnderWay)) ? POLL_MS : false,
  })
  const again = useAction(async ({ _id }: WebhookDelivery) => {
    await askOnce(retryDelivery, { params: { id: _id } })
    await queryClient.invalidateQueries({ queryKey })
    notify({ text: 'It is sent again.' })
  }, 'It was not sent again. Please try again.')
  const { data, refetch } = deliveries
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <Dialog
      title={`Deliveries to ${new URL(endpoint.url).host}`}
      onClose={onClose}
      foot={
        <>
          <Button look="line" onClick={() => void refetch()}>
            Look again
          </Button>
          <Close onClick={onClose} />
        </>
      }
    >
      <LoadState query={deliveries} failed="Failed to load the deliveries." />
      {data && rows.length === 0 && <p>Nothing was sent in the last 30 days.</p>}
      <Table
        caption="Deliveries"
        columns={[
          ['Event', ({ event }) => event],
          ['When', ({ at }) => <When at={at} />],
          ['Tries', ({ attempts }) => attempts.length],
          ['Outcome', (delivery) => <Outcome delivery={delivery} />],
          [
            'Actions',
            (delivery) => (
              <LinkButton
                on={delivery.event}
                busy={again.isPending}
                onClick={() => again.mutate(delivery)}
              >
                Send again
              </LinkButton>
            ),
          ],
        ]}
        rows={rows}
      />
      <ShowMore label="Show more" query={deliveries} />
    </Dialog>
  )
}

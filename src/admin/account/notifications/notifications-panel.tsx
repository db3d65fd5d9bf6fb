import { useQuery } from '@tanstack/react-query'
import { Button } from '../../components/button.tsx'
import { LoadProblem } from '../../components/load-states.tsx'
import panel from '../../components/panel.module.css'
import { queryClient } from '../../session/query-client.ts'
import { notify, useAction } from '../../shell/notices.tsx'
import { canNotify, findOwnEndpoint, NotAllowed, sendTest, turnOff, turnOn } from './device.ts'

const isBlocked = (): boolean => Notification.permission === 'denied'

const blocked =
  'This browser blocks notifications from this site. Allow them in the browser’s settings for this site, then reload the page.'

export function NotificationsPanel({ vapidPublicKey }: { vapidPublicKey: string | null }) {
  return (
    <section className={panel.panel} aria-labelledby="notifications">
      <h2 id="notifications">Notifications on this device</h2>
      <p className={panel.say}>
        When something new arrives, and once more when half of the promised time has passed and
        nobody has it. A notification shows the kind and the first name, such as “New consultation
        from Ada”, and no name where applications are judged blind; others who see your screen can
        read it. It travels encrypted through your browser’s push service.
      </p>
      <p className={panel.say}>
        It goes on while you are signed out, until you switch it off here or your password, e-mail
        or role changes. Then it starts again when you use the administration on this device.
      </p>
      {vapidPublicKey && canNotify() ? (
        <Switch vapidPublicKey={vapidPublicKey} />
      ) : (
        <p>
          {vapidPublicKey
            ? 'This browser cannot show notifications. An iPhone or iPad shows them for sites on the home screen only.'
            : 'Notifications are not set up here. The person who runs the site can do that.'}
        </p>
      )}
    </section>
  )
}

const endpointKey = ['push-endpoint']

function Switch({ vapidPublicKey }: { vapidPublicKey: string }) {
  const query = useQuery({ queryKey: endpointKey, queryFn: findOwnEndpoint })
  const { data: endpoint } = query
  const refresh = () => queryClient.invalidateQueries({ queryKey: endpointKey })

  const on = useAction(async () => {
    try {
      await turnOn(vapidPublicKey)
      notify({ text: 'Notifications are on.' })
    } catch (failure) {
      if (!(failure instanceof NotAllowed)) throw failure
      notify({ text: isBlocked() ? blocked : 'Notifications stay off.' })
    }
    await refresh()
  }, 'Notifications were not switched on. Please try again.')

  const off = useAction(async () => {
    await turnOff()
    notify({ text: 'Notifications are off.' })
    await refresh()
  }, 'Notifications were not switched off. Please try again.')

  const test = useAction(async (to: string) => {
    await sendTest(to)
    notify({ text: 'A test is on its way.' })
  }, 'The test was not sent. Please try again.')

  if (endpoint === undefined)
    return <LoadProblem query={query} failed="Failed to load your devices." />
  if (endpoint === null)
    return (
      <div className={panel.actions}>
        {isBlocked() ? (
          <p>{blocked}</p>
        ) : (
          <Button look="line" busy={on.isPending && 'Switching on...'} onClick={() => on.mutate()}>
            Switch on
          </Button>
        )}
      </div>
    )
  return (
    <>
      <p>On.</p>
      <div className={panel.actions}>
        <Button
          look="line"
          busy={test.isPending && 'Sending...'}
          onClick={() => test.mutate(endpoint)}
        >
          Send a test
        </Button>
        <Button look="line" busy={off.isPending && 'Switching off...'} onClick={() => off.mutate()}>
          Switch off
        </Button>
      </div>
    </>
  )
}

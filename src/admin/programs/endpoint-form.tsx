import { useMutation } from '@tanstack/react-query'
import { limits } from '#contract/limits.ts'
import {
  addEndpoint,
  changeEndpoint,
  type WebhookEndpoint,
  type WebhookEvent,
  webhookEvents,
} from '#contract/programs/endpoints.ts'
import { Field } from '#ui/field.tsx'
import { CheckedForm } from '../components/checked-form.tsx'
import { Choice } from '../components/choice.tsx'
import { Dialog } from '../components/dialog.tsx'
import { SubmitOrCancel, textIn } from '../components/form.tsx'
import { queryClient } from '../session/query-client.ts'
import { ask, askOnce } from '../session/session.ts'
import { CheckList, needsOne } from './check-list.tsx'
import { Secret } from './secret.tsx'

const eventTexts: Record<WebhookEvent, string> = {
  'submission.created': 'A new submission',
  'submission.changed': 'A change by staff',
  'reply.received': 'A reply of a sender',
  'message.sent': 'A message to a sender',
  'appointment.booked': 'An appointment',
  'appointment.moved': 'A moved appointment',
  'appointment.cancelled': 'A cancelled appointment',
  'offer.accepted': 'An accepted offer',
  'offer.declined': 'A declined offer',
  'content.published': 'A publication of the site',
  test: 'Tests',
}

/** Adds a webhook, and shows its secret once; or changes one. */
export function EndpointForm({
  endpoint,
  onClose,
}: {
  endpoint?: WebhookEndpoint
  onClose: () => void
}) {
  const save = useMutation({
    mutationFn: async (form: HTMLFormElement): Promise<string | null> => {
      const given = new FormData(form)
      const events = given.getAll('events') as WebhookEvent[]
      const url = textIn(form, 'url')
      const authorization = textIn(form, 'authorization')
      const body = {
        url,
        events,
        details: given.has('details'),
        ...(given.has('forget') ? { authorization: null } : authorization && { authorization }),
      }
      if (!endpoint) return (await ask(addEndpoint, { body })).data.secret
      const params = { id: endpoint._id }
      await askOnce(changeEndpoint, { params, body })
      return null
    },
    onSuccess: async (secret) => {
      await queryClient.invalidateQueries({ queryKey: ['endpoints'] })
      if (secret === null) onClose()
    },
  })
  if (save.data)
    return (
      <Dialog title="The webhook is added" onClose={null}>
        <Secret name="Signing secret" value={save.data} onDone={onClose} />
      </Dialog>
    )
  // Closed too early, nobody would see the secret.
  const close = save.isPending ? null : onClose
  return (
    <Dialog title={endpoint ? 'Edit the webhook' : 'Add a webhook'} onClose={close}>
      <CheckedForm
        error={save.error}
        failed="The webhook was not saved. Please try again."
        check={needsOne('events', 'Choose at least one event')}
        onSend={save.mutate}
      >
        <div className="form-grid">
          <Field
            name="url"
            label="Address"
            hint="https, and reachable for everybody"
            type="url"
            maxLength={limits.url}
            autoComplete="off"
            defaultValue={endpoint?.url}
          />
          <Field
            name="authorization"
            label="Authorization header"
            hint={
              endpoint?.authorization
                ? 'There is one, which is not shown. Left empty it stays.'
                : undefined
            }
            optional
            maxLength={1_000}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        {endpoint?.authorization && <Choice name="forget" label="Remove the header" />}
        <CheckList
          legend="It hears of"
          name="events"
          chosen={endpoint?.events ?? ['submission.created']}
          options={webhookEvents.map((value) => ({ value, label: eventTexts[value] }))}
        />
        <Choice
          name="details"
          label="With what people wrote"
          says="Names, addresses and texts leave this program. Say so in your privacy page."
          defaultChecked={endpoint?.details ?? false}
        />
        <SubmitOrCancel busy={save.isPending && 'Saving...'} onCancel={close}>
          {endpoint ? 'Save' : 'Add webhook'}
        </SubmitOrCancel>
      </CheckedForm>
    </Dialog>
  )
}

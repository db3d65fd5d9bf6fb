import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { BodyInput } from '#contract/http/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { StaffAppointment } from '#contract/times/appointment.ts'
import { timeOfDay } from '#contract/times/moments.ts'
import { changeAppointment } from '#contract/times/times.ts'
import { Field } from '#ui/field.tsx'
import { useKeyFor } from '../browser/use-key-for.ts'
import { Button, Close } from '../components/button.tsx'
import { CheckedForm } from '../components/checked-form.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Options, textIn } from '../components/form.tsx'
import { RecordOffers } from '../offers/record-offers.tsx'
import { keys } from '../record/keys.ts'
import type { RecordDetail } from '../record/record.ts'
import { type ConsultationDetail, firstNameOf, isConsultation, zoneOf } from '../record/record.ts'
import { useProfile } from '../session/profile.ts'
import { queryClient } from '../session/query-client.ts'
import { ask } from '../session/session.ts'
import { useAssignable } from '../session/users-query.ts'
import { notify } from '../shell/notices.tsx'
import { refreshTimes, slotsQuery } from './queries.ts'
import styles from './times.module.css'
import { inZone, longMomentIn, ownZone, theirTime } from './zone-time.ts'

const answers = {
  accepted: 'accepted by their calendar',
  declined: 'declined by their calendar',
  tentative: 'tentative in their calendar',
} as const

type Asking = 'move' | 'give' | 'cancel'

interface Props {
  record: RecordDetail
  now: number
  /** True if this person may write to the sender here. */
  mayWrite: boolean
}

export function Arrangements({ record, now, mayWrite }: Props) {
  if (!isConsultation(record)) return null
  const { appointment, offers } = record
  if (!appointment && offers.length === 0) return null
  return (
    <section className={styles.arrangements} aria-label="Talk and offer">
      {appointment && (
        <Talk record={record} appointment={appointment} now={now} mayWrite={mayWrite} />
      )}
      {offers.length > 0 && <RecordOffers record={record} />}
    </section>
  )
}

interface TalkProps {
  record: ConsultationDetail
  appointment: StaffAppointment
}

function Talk({ record, appointment, now, mayWrite }: TalkProps & Omit<Props, 'record'>) {
  const [asking, setAsking] = useState<Asking | null>(null)
  const { start, end, state, host, place, answer } = appointment
  const zone = ownZone()
  const theirs = zoneOf(record)
  const isToCome = state === 'booked' && Date.parse(end) > now
  const dialog = { record, appointment, onClose: () => setAsking(null) }
  return (
    <section className={styles.talk} aria-label="Talk" data-state={isToCome ? 'booked' : undefined}>
      <p className="secondary">
        {state === 'cancelled' ? 'The talk was cancelled' : isToCome ? 'The talk' : 'You talked'}
      </p>
      <p>
        <time dateTime={start}>
          <b>
            {longMomentIn(start, zone)} to {timeOfDay(new Date(end), zone)}
          </b>
        </time>{' '}
        {inZone(zone)}
        {theirs && inZone(theirs) !== inZone(zone) && `, ${theirTime(theirs, start, zone)}`}
      </p>
      <p>
        With {host ?? 'a deleted account'}, <bdi>{place}</bdi>
        {isToCome && answer && (
          <>
            {', '}
            <b className={answer === 'declined' ? 'bad' : undefined}>{answers[answer]}</b>
          </>
        )}
      </p>
      {isToCome && mayWrite && (
        <div className={styles.actions}>
          <Button look="line" onClick={() => setAsking('move')}>
            Move…
          </Button>
          {Date.parse(start) > now && (
            <Button look="line" onClick={() => setAsking('give')}>
              Give to another host…
            </Button>
          )}
          <Button look="line danger" onClick={() => setAsking('cancel')}>
            Cancel the talk…
          </Button>
        </div>
      )}
      {asking === 'move' && <Move {...dialog} />}
      {asking === 'give' && <Give {...dialog} />}
      {asking === 'cancel' && <Cancel {...dialog} />}
    </section>
  )
}

interface DialogProps extends TalkProps {
  onClose: () => void
}

/** A question about the appointment, with the form that changes it. */
function ChangeDialog({
  record,
  onClose,
  title,
  action,
  done,
  isDanger = false,
  bodyOf,
  children,
}: Omit<DialogProps, 'appointment'> & {
  title: string
  action: string
  done: string
  isDanger?: boolean
  /** The body to send; null if the form is not filled in yet. */
  bodyOf: (form: HTMLFormElement) => BodyInput<typeof changeAppointment> | null
  children: ReactNode
}) {
  const { keyFor } = useKeyFor()
  const change = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const body = bodyOf(form)
      if (!body) return false
      await ask(
        changeAppointment,
        { params: { id: record._id }, body },
        { idempotencyKey: keyFor(body) },
      )
      return true
    },
    onSuccess: (isDone) => {
      if (!isDone) return
      onClose()
      notify({ text: done })
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: keys.detail('consultations', record._id) })
      void queryClient.invalidateQueries({ queryKey: keys.lists('consultations') })
      void queryClient.invalidateQueries({ queryKey: keys.counts })
      void refreshTimes()
    },
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <CheckedForm
        error={change.error}
        failed="That was not saved. Please try again."
        onSend={change.mutate}
      >
        <div className="form-grid">{children}</div>
        <div className={styles.actions}>
          <Button
            type="submit"
            {...(isDanger ? { look: 'line danger' } : {})}
            busy={change.isPending && 'Saving...'}
          >
            {action}
          </Button>
          <Close onClick={onClose}>Back, change nothing</Close>
        </div>
      </CheckedForm>
    </Dialog>
  )
}

function Move(props: DialogProps) {
  const zone = ownZone()
  const isOwn = useProfile().username === props.appointment.host
  const { start, end } = props.appointment
  const minutes = (Date.parse(end) - Date.parse(start)) / 60_000
  const { data: slots = [] } = useQuery({ ...slotsQuery({ minutes }), enabled: isOwn })
  const [chosen, setChosen] = useState('')
  const names = useAssignable()
  // A host who has lost the right to answer cannot keep the talk.
  const hasHost = names.length === 0 || names.some((name) => name === props.appointment.host)
  const isListed = isOwn && slots.length > 0
  return (
    <ChangeDialog
      {...props}
      title="Move the talk"
      action="Move it"
      done="The talk is moved. Sender and host get a new invitation."
      bodyOf={(form) => {
        const start = new Date(chosen || textIn(form, 'other'))
        if (Number.isNaN(start.getTime())) return null
        return { start: start.toISOString(), host: textIn(form, 'host') || undefined }
      }}
    >
      {isListed && (
        <Field id="move-slot" label="One of your free times" hint={`Times are ${inZone(zone)}.`}>
          <select id="move-slot" value={chosen} onChange={({ target }) => setChosen(target.value)}>
            <option value="">Another time</option>
            <Options values={slots.map(({ start }) => [start, longMomentIn(start, zone)])} />
          </select>
        </Field>
      )}
      {!chosen && (
        <Field
          id="move-other"
          name="other"
          type="datetime-local"
          label={isListed ? 'Another time' : 'New time'}
          hint={`Times are ${inZone(zone)}. A time at which the host is not free is refused.`}
        />
      )}
      {!hasHost && (
        <HostField names={names} hint="The present host takes no talks any more. Name another." />
      )}
    </ChangeDialog>
  )
}

function Give(props: DialogProps) {
  const names = useAssignable().filter((name) => name !== props.appointment.host)
  return (
    <ChangeDialog
      {...props}
      title="Give the talk to another host"
      action="Give it"
      done="The talk has another host. Everybody is told by mail."
      bodyOf={(form) => {
        const host = textIn(form, 'host')
        return host ? { host } : null
      }}
    >
      <HostField names={names} hint="Somebody who has set hours and is free at that time." />
    </ChangeDialog>
  )
}

function HostField({ names, hint }: { names: readonly string[]; hint: string }) {
  return (
    <Field id="talk-host" label="Host" hint={hint}>
      <select id="talk-host" name="host" required>
        <Options values={names} />
      </select>
    </Field>
  )
}

function Cancel(props: DialogProps) {
  return (
    <ChangeDialog
      {...props}
      title="Cancel the talk?"
      action="Cancel the talk"
      isDanger
      done="The talk is cancelled. Sender and host are told by mail."
      bodyOf={(form) => ({ state: 'cancelled', text: textIn(form, 'text') || undefined })}
    >
      <Field
        id="cancel-text"
        name="text"
        label={`A word to ${firstNameOf(props.record)}`}
        hint="It is part of the mail about the cancellation."
        long
        optional
        dir="auto"
        maxLength={limits.staffMessage}
      />
    </ChangeDialog>
  )
}

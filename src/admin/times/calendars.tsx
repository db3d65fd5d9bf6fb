import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '#client/call.ts'
import { limits } from '#contract/limits.ts'
import {
  type BusyState,
  checkCalendar,
  endCalendarLink,
  type Hours as HoursValues,
  makeCalendarLink,
} from '#contract/times/times.ts'
import { Field } from '#ui/field.tsx'
import { Button, Cancel } from '../components/button.tsx'
import { CheckedForm } from '../components/checked-form.tsx'
import { Confirm } from '../components/dialog.tsx'
import { When } from '../components/when.tsx'
import { CopyButton } from '../record/conversation/copy-button.tsx'
import { Link } from '../router/link.tsx'
import { queryClient } from '../session/query-client.ts'
import { ask, sentenceOf } from '../session/session.ts'
import { notify, useAction } from '../shell/notices.tsx'
import { FreeTimes } from './free-times.tsx'
import { hoursQuery, refreshTimes, slotsQuery, useSaveHours } from './queries.ts'
import styles from './times.module.css'
import { inZone, longMomentIn } from './zone-time.ts'

const COPY_MS = 86_400_000

const busyText = ({ state, at }: BusyState): string => {
  const isCopied = at !== null && Date.now() - Date.parse(at) < COPY_MS
  if (state === 'none') return 'No calendar is connected: only talks booked here count as busy.'
  if (state === 'fresh') return 'Connected.'
  if (state === 'stale')
    return isCopied
      ? 'It could not be read just now: its last copy counts for 24 hours.'
      : 'Stored.'
  return isCopied
    ? 'Not connected: its last copy counts for 24 hours.'
    : 'Not connected: only talks booked here count as busy.'
}

/** The calendar that says when the host is busy; its address is a secret. */
export function BusyCalendar({ busy, hours }: { busy: BusyState; hours: HoursValues | null }) {
  const save = useSaveHours()
  const [typed, setTyped] = useState<string | null>(null)
  const [isRemoving, setRemoving] = useState(false)
  const [found, setFound] = useState<string | null>(null)
  const check = useMutation({
    mutationFn: () => ask(checkCalendar, {}),
    onSuccess: ({ data }) => setFound(`${data.events} ${data.events === 1 ? 'entry' : 'entries'}.`),
    onError: (error) => {
      setFound(null)
      // The line about the state names a problem of the calendar itself.
      if (!(error instanceof ApiError && error.status === 400))
        notify({
          text: sentenceOf(error, 'The calendar was not checked. Please try again.'),
          tone: 'bad',
        })
    },
    onSettled: () => refreshTimes(),
  })
  const isStored = Boolean(hours?.busyUrl)
  const isTyping = typed !== null || !isStored
  const cancel = () => {
    setTyped(null)
    save.reset()
  }
  const store = (busyUrl: string | null) => {
    if (!hours) return
    setFound(null)
    save.mutate(
      { ...hours, busyUrl },
      {
        onSuccess: () => {
          setTyped(null)
          if (busyUrl !== null) check.mutate()
        },
      },
    )
  }

  return (
    <section aria-labelledby="busy">
      <h2 id="busy">Your busy times</h2>
      <p className="secondary">
        Paste the secret address of your calendar. We read only when you are busy, and do not offer
        those times.
      </p>
      <CheckedForm
        aria-label="Calendar address"
        error={save.error}
        failed="The calendar was not saved. Please try again."
        onSend={() => store(typed)}
      >
        <div className="form-grid">
          {isTyping ? (
            <Field
              id="busyUrl"
              label="Calendar address"
              hint="Look for “secret address in iCal format”. It starts with https:// and ends with .ics."
              optional
              type="url"
              autoComplete="off"
              spellCheck={false}
              value={typed ?? ''}
              maxLength={limits.url}
              disabled={!hours}
              onChange={({ target }) => setTyped(target.value)}
            />
          ) : (
            <Field
              id="busyUrl"
              label="Calendar address"
              hint="Stored encrypted. Only the host name is ever shown again."
            >
              <output id="busyUrl">{hours?.busyUrl}</output>
            </Field>
          )}
        </div>
        {!hours && <p className="secondary">Save your hours first.</p>}
        <p className={styles[busy.state]} role="status">
          {isStored ? (
            <>
              <b>{busyText(busy)}</b> {busy.problem}{' '}
              {busy.at && (
                <>
                  Last read <When at={busy.at} />.{' '}
                </>
              )}
              {found} It is read every 15 minutes and whenever somebody books.
            </>
          ) : (
            busyText(busy)
          )}
        </p>
        <div className={styles.actions}>
          {isTyping ? (
            <>
              <Button
                type="submit"
                look="line"
                disabled={!typed}
                busy={save.isPending && 'Saving...'}
              >
                Save and check
              </Button>
              {isStored && <Cancel onClick={save.isPending ? null : cancel} />}
            </>
          ) : (
            <>
              <Button
                look="line"
                busy={check.isPending && 'Reading...'}
                onClick={() => check.mutate()}
              >
                Check now
              </Button>
              <Button look="line" onClick={() => setTyped('')}>
                Replace
              </Button>
              <Button look="line danger" onClick={() => setRemoving(true)}>
                Remove
              </Button>
            </>
          )}
        </div>
      </CheckedForm>
      {isRemoving && (
        <Confirm
          title="Remove the calendar"
          question="Its address is deleted. After that, only talks booked here count as busy."
          action="Remove"
          onConfirm={() => store(null)}
          onClose={() => setRemoving(false)}
        />
      )}
    </section>
  )
}

/** The choices of senders with these hours. */
export function WhatThisGives({ hours: { timeZone, horizonDays } }: { hours: HoursValues }) {
  const { data } = useQuery(slotsQuery())
  if (!data) return null
  const [first] = data
  return (
    <section aria-labelledby="gives">
      <h2 id="gives">What this gives</h2>
      <p className={styles.gives}>
        <FreeTimes slots={data} horizonDays={horizonDays} />
        {first && `, the first on ${longMomentIn(first.start, timeZone)} ${inZone(timeZone)}`}.
      </p>
      <Link className="btn small line" to="/admin/appointments">
        See the appointments
      </Link>
    </section>
  )
}

/** The address of one's own appointments: shown when it is made, and never again. */
export function OwnCalendar({ isMade }: { isMade: boolean }) {
  const [url, setUrl] = useState<string | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const setMade = (feed: boolean) =>
    queryClient.setQueryData(
      hoursQuery.queryKey,
      (now) => now && { ...now, meta: { ...now.meta, feed } },
    )
  const make = useAction(async () => {
    const { data } = await ask(makeCalendarLink, {})
    setUrl(data.url)
    setMade(true)
  }, 'The address could not be made.')
  const end = useAction(async () => {
    await ask(endCalendarLink, {})
    setUrl(null)
    setMade(false)
    heading.current?.focus()
    notify({ text: 'The address of your calendar has ended.' })
  }, 'The address could not be ended.')
  return (
    <section aria-labelledby="feed">
      <h2 id="feed" ref={heading} tabIndex={-1}>
        Your talks in your own calendar
      </h2>
      <p className="secondary">
        An address for your calendar program. It shows your appointments from here and keeps them up
        to date. A new address replaces the one before.
      </p>
      {url && (
        <div className={styles.fresh} role="status">
          <b>Copy it now: it is not shown again.</b>
          <code className={styles.url}>{url}</code>
          <CopyButton text={url} />
        </div>
      )}
      <div className={styles.actions}>
        <Button look="line" busy={make.isPending && 'Making...'} onClick={() => make.mutate()}>
          Make the address
        </Button>
        {isMade && (
          <Button
            look={url ? 'line danger' : 'line'}
            busy={end.isPending && 'Ending...'}
            onClick={() => end.mutate()}
          >
            End the address
          </Button>
        )}
      </div>
    </section>
  )
}

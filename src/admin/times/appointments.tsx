import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayFrom } from '#contract/fields.ts'
import { limits } from '#contract/limits.ts'
import { timeOfDay } from '#contract/times/moments.ts'
import { Empty } from '../components/empty.tsx'
import { LoadState } from '../components/load-states.tsx'
import panel from '../components/panel.module.css'
import { Segments } from '../components/segments.tsx'
import { Table } from '../components/table.tsx'
import { TextLink } from '../components/text-link.tsx'
import { useParameter } from '../router/use-parameter.ts'
import { useMay, useProfile } from '../session/profile.ts'
import { appointmentsQuery } from './queries.ts'
import { inZone, longMomentIn, ownZone, theirTime } from './zone-time.ts'

const whose = { all: 'Everybody’s', own: 'Mine', past: 'Past' } as const
const lists = Object.keys(whose) as (keyof typeof whose)[]

/** Talks of the next 31 days, and of the last. */
export function Appointments() {
  const [which, setWhich] = useParameter('which', lists, 'all')
  const { username } = useProfile()
  const mayHost = useMay('records.change')
  const [now] = useState(() => Date.now())
  const appointments = useQuery(
    appointmentsQuery({
      ...(which === 'past'
        ? { from: dayFrom(new Date(now), { days: -30 }), to: dayFrom(new Date(now)) }
        : {}),
      ...(which === 'own' ? { host: username } : {}),
    }),
  )
  const { data } = appointments
  const rows = which === 'past' ? data?.filter(({ start }) => Date.parse(start) < now) : data
  const zone = ownZone()
  const myHours = mayHost && <TextLink to="/admin/hours">My hours</TextLink>
  return (
    <>
      <h1>Appointments</h1>
      <Segments
        legend="Which appointments"
        options={lists.map((value) => [value, whose[value]])}
        value={which}
        onChange={setWhich}
      />
      <div className={panel.state}>
        <LoadState
          query={appointments}
          failed="Failed to load the appointments. Please try again."
        />
        {rows?.length === 0 && (
          <Empty
            text={
              which === 'past'
                ? 'No talk in the last 30 days'
                : `No talk in the next ${limits.hours.span} days`
            }
          >
            Offer times in a consultation. {myHours}
          </Empty>
        )}
      </div>
      {rows && rows.length > 0 && (
        <>
          <Table
            columns={[
              [
                `When, ${inZone(zone)}`,
                ({ start, end }) => (
                  <time dateTime={start}>
                    {longMomentIn(start, zone)} to {timeOfDay(new Date(end), zone)}
                  </time>
                ),
              ],
              ['Theirs', ({ start, zone: theirs }) => theirTime(theirs, start, zone)],
              ['With', ({ name }) => <bdi>{name}</bdi>],
              ['Host', ({ host }) => host ?? 'Deleted'],
              ['State', ({ state }) => (state === 'booked' ? 'Booked' : 'Cancelled')],
              [
                'Actions',
                ({ record, name }) => (
                  <TextLink to={`/admin/${record.kind}`} search={{ id: record._id }}>
                    Open record<span className="visually-hidden"> of {name}</span>
                  </TextLink>
                ),
              ],
            ]}
            rows={rows}
          />
          {myHours && <p className={panel.actions}>{myHours}</p>}
        </>
      )}
    </>
  )
}

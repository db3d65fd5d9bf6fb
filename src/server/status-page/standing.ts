import type { KindPath } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { isAnswerTime } from '#contract/positions.ts'
import { calendarDayText, fullDay, longMoment, shortMoment } from '#contract/times/moments.ts'
import { type Clock, clockStart, spanText } from './clock.ts'
import { applicationStep, isDecision, knownStatus, owedUntil } from './record.ts'
import type { Found } from './store/find.ts'

/** The state of a submission in the words of its sender's page. Pure: from a record, a moment and a zone. */

export interface Standing {
  heading: string
  /** One sentence under it; `time` is its bold line. */
  by: { lead?: string | undefined; time?: string | undefined; rest?: string | undefined }
  explain: string | undefined
  isLate: boolean
  clock: Clock | null
  drawing: 'sheet' | 'turn' | null
  replyLabel: string
  steps: Step[]
}

/** A step of the track. `state` is its class: empty for what is to come. */
export interface Step {
  label: string
  state: 'past' | 'current' | 'bad' | 'finished' | 'off' | 'past end' | ''
  here?: string | undefined
  time?: string | undefined
  text: string
}

type View = Omit<Standing, 'steps' | 'isLate' | 'clock' | 'drawing' | 'explain'> &
  Partial<Pick<Standing, 'isLate' | 'clock' | 'drawing' | 'explain'>>

interface Moment {
  now: Date
  timeZone: string
  /** The day by which an application is answered, `YYYY-MM-DD` in UTC; the same whatever its status. */
  answerBy?: string | null | undefined
}

export const nouns: Readonly<Record<KindPath, string>> = {
  consultations: 'request',
  applications: 'application',
  contacts: 'message',
}

/** The last promised hour; null where none was promised, or only the day of a decision. */
const promisedHour = ({ kind, promisedAt }: Found): Date | null => {
  const isDay = kind.path === 'applications' && promisedAt && isAnswerTime(promisedAt)
  return promisedAt && !isDay ? new Date(promisedAt) : null
}

const oursIn = ({ messages }: Found) => messages.filter(({ from }) => from === 'us')

/**
 * The first of our messages since the clock started, else since the sender’s last one; of an application the last,
 * which may decide.
 */
const answerOf = (found: Found) => {
  const ours = oursIn(found)
  if (found.kind.path === 'applications') return ours.at(-1)
  const promised = promisedHour(found)
  if (promised) return ours.find(({ at }) => Date.parse(at) >= clockStart(promised))
  const asked = found.messages.findLast(({ from }) => from === 'you')?.at ?? ''
  return ours.find(({ at }) => at > asked) ?? ours.at(-1)
}

/** Both are null where it does not apply. */
const agreed = ({ offers, appointment }: Found, { now, timeZone }: Moment) => ({
  offer: offers.some(({ state }) => state === 'accepted') ? 'You accepted our offer.' : null,
  talk:
    appointment?.state === 'booked' && new Date(appointment.start) > now
      ? `We talk on ${longMoment(new Date(appointment.start), timeZone)}.`
      : null,
})

/** "We keep it until 23 November 2028, then it is deleted without your asking." */
export const keptText = (found: Found, timeZone: string): string => {
  // The day would tell of a decision before its message does.
  const at = knownStatus(found) === found.status ? found.expiresAt : found.expiresUndecidedAt
  return at
    ? `We keep it until ${fullDay(new Date(at), timeZone)}, then it is deleted without your asking.`
    : 'We keep it until we are done with it, or until you erase it.'
}

const withdrawn = (found: Found, { timeZone }: Moment): View => ({
  heading: 'Withdrawn',
  by: { lead: `Nobody works on this ${nouns[found.kind.path]} any more` },
  explain: `You withdrew it on ${longMoment(new Date(found.withdrawnAt ?? 0), timeZone)}. ${keptText(found, timeZone)} Write to us below to take it up again.`,
  drawing: 'turn',
  replyLabel: 'Take it up again: write to us',
})

const owed = (found: Found, promisedAt: Date, { now, timeZone }: Moment): View => {
  const time = longMoment(promisedAt, timeZone)
  if (now > promisedAt)
    return {
      heading: 'We are late',
      by: { lead: 'We said', time },
      isLate: true,
      clock: { shows: 'late', promisedAt, now },
      replyLabel: 'Write to us',
    }
  const last = found.messages.at(-1)?.from
  const isFirst = last === undefined
  // Staff may owe a second answer without a reply, for example when the sender cancels a talk.
  const again = last === 'you' ? 'We have your reply' : 'We get back to you'
  return {
    heading: isFirst ? `We have your ${nouns[found.kind.path]}` : again,
    by: { lead: 'We answer by', time },
    explain: `${isFirst ? `That is ${limits.promiseHours} hours after you wrote. ` : ''}Until then there is nothing you need to do.`,
    clock: { shows: 'left', promisedAt, now },
    replyLabel: 'Something to add?',
  }
}

/** The promise for an application until its sender is told of a decision. */
const decisionBy = ({ now, answerBy }: Moment, undated: string): Pick<View, 'by' | 'isLate'> => {
  if (!answerBy) return { by: { lead: undated } }
  const time = calendarDayText(answerBy)
  return now.toISOString().slice(0, 10) > answerBy
    ? { by: { lead: 'We said by', time }, isLate: true }
    : { by: { lead: `${undated}, by`, time } }
}

/** Waits for an answer for which no hour was promised. */
const received = (found: Found, moment: Moment): View => {
  if (found.kind.path !== 'applications')
    return {
      heading: `We have your ${nouns[found.kind.path]}`,
      by: { lead: 'We get back to you as soon as possible' },
      explain: 'We gave no hour for it, so there is no clock here.',
      replyLabel: 'Something to add?',
    }
  if (applicationStep(knownStatus(found)) === 2)
    return {
      heading: 'We have talked',
      ...decisionBy(moment, 'The decision comes next'),
      explain: 'You hear from us either way.',
      replyLabel: 'Something to add?',
    }
  return {
    heading:
      found.status === found.kind.statuses[0]
        ? 'We have your application'
        : 'We are reading your application',
    ...decisionBy(moment, 'You hear from us either way'),
    explain: `With a time for an interview, or with a reason. ${
      moment.answerBy
        ? 'We gave a day for applications and no hour, so there is no clock here.'
        : 'We gave no hour for applications, so there is no clock here.'
    }`,
    replyLabel: 'Something to add?',
  }
}

const answered = (found: Found, at: string, { timeZone }: Moment): View => {
  const answeredAt = new Date(at)
  const asked = found.messages.findLast((one) => one.from === 'you' && one.at < at)?.at
  const promisedAt = promisedHour(found)
  const start = promisedAt ? clockStart(promisedAt) : Date.parse(asked ?? found.createdAt)
  const isDecided = found.kind.path === 'applications' && isDecision(knownStatus(found))
  return {
    heading: isDecided ? 'We have decided' : 'We have answered',
    by: {
      time: longMoment(answeredAt, timeZone),
      rest: `${spanText(answeredAt.getTime() - start)} after you wrote`,
    },
    explain: `The ${isDecided ? 'decision' : 'answer'} is below, and in your mail.${promisedAt ? ` We had promised ${limits.promiseHours} hours.` : ''}`,
    clock: promisedAt && { shows: 'answered', promisedAt, answeredAt },
    replyLabel: 'Your reply',
  }
}

const isTalkDone = ({ kind, status }: Found): boolean =>
  kind.path === 'consultations' && status === kind.statuses.at(-1)

/** Staff set a status, and no message is on the page or the work is done. */
const moved = (found: Found, moment: Moment): View => {
  if (found.kind.path === 'applications') return received(found, moment)
  const { offer, talk } = agreed(found, moment)
  const done = offer ? 'We have an agreement' : 'Done'
  return {
    heading: found.status === found.kind.statuses.at(-1) ? done : 'We have answered',
    by: found.statusAt ? { time: longMoment(new Date(found.statusAt), moment.timeZone) } : {},
    explain: isTalkDone(found)
      ? [offer, talk, 'You can still write to us below.'].filter(Boolean).join(' ')
      : 'Not by this page: by phone, or from our own mail program.',
    replyLabel: 'Write to us',
  }
}

const viewOf = (found: Found, moment: Moment): View => {
  if (found.withdrawnAt) return withdrawn(found, moment)
  const promised = owedUntil(found) && promisedHour(found)
  if (promised) return owed(found, promised, moment)
  if (found.waitingFor === 'us') return received(found, moment)
  const answer = answerOf(found)
  return answer && !isTalkDone(found) ? answered(found, answer.at, moment) : moved(found, moment)
}

/** The steps before the one at `here` are past, those after it are to come. */
const track = (steps: readonly Omit<Step, 'state'>[], here: number, state: Step['state']): Step[] =>
  steps.map((step, n) => {
    if (n < here) return { ...step, state: 'past' }
    if (n > here) return { ...step, state: '', time: undefined }
    return { ...step, state, here: 'Now' }
  })

const storedText = ({ isConfirmed }: Found): string =>
  isConfirmed ? 'It is stored, and its confirmation went to your address.' : 'It is stored.'

const shortIn = (timeZone: string) => (at: string | null | undefined) =>
  at ? shortMoment(new Date(at), timeZone) : undefined

const answerSteps = (found: Found, moment: Moment): Step[] => {
  const { now, timeZone } = moment
  const short = shortIn(timeZone)
  const promised = owedUntil(found)
  const isLate = promised !== null && now > new Date(promised)
  // While a further answer is owed, the track names the one before.
  const answer = answerOf(found) ?? (promised ? oursIn(found).at(-1) : undefined)
  const isDone = found.status === found.kind.statuses.at(-1)
  const isAnswered = answer !== undefined || found.status !== found.kind.statuses[0]
  const { offer, talk } = agreed(found, moment)
  const steps = [
    { label: 'Received', time: short(found.createdAt), text: storedText(found) },
    {
      label: 'Read',
      time: short(found.seenAt),
      text:
        found.seenAt || isAnswered
          ? 'A person opened it.'
          : 'A person opens it. You see the hour here.',
    },
    {
      label: isLate ? 'Answer is late' : 'Answered',
      time: isLate ? `Due ${short(promised)}` : short(answer?.at ?? found.statusAt),
      text: isLate
        ? 'We owe you an answer.'
        : isAnswered
          ? answer
            ? `The answer is below and in your mail.${promised ? ` The next one comes by ${short(promised)}.` : ''}`
            : 'By phone, or from our own mail program.'
          : promised
            ? `Here and by e-mail, by ${short(promised)}.`
            : 'Here and by e-mail.',
    },
    {
      label: 'Done',
      time: short(found.statusAt),
      text:
        found.kind.path === 'consultations'
          ? (offer ?? talk ?? 'We have talked and you have the plan, or you said no.')
          : 'There is nothing left to answer.',
    },
  ]
  if (isLate) return track(steps, 2, 'bad')
  if (isDone && found.waitingFor !== 'us') return track(steps, 3, 'finished')
  return track(steps, isAnswered ? 2 : found.seenAt ? 1 : 0, 'current')
}

const applicationSteps = (found: Found, { timeZone, answerBy }: Moment): Step[] => {
  const short = shortIn(timeZone)
  const status = knownStatus(found)
  const isDecided = isDecision(status)
  const here = applicationStep(status)
  const since = found.status === status ? short(found.statusAt) : undefined
  const steps = [
    { label: 'Received', time: short(found.createdAt), text: storedText(found) },
    {
      label: 'In review',
      time: (here === 1 ? since : undefined) ?? short(found.seenAt),
      text: 'A professional reads it, with your résumé and links open.',
    },
    {
      label: 'Interview',
      time: here === 2 ? since : undefined,
      text: 'We write with a time, or straight to the decision.',
    },
    {
      label: 'Decision',
      time: isDecided ? short(answerOf(found)?.at) : undefined,
      text: isDecided
        ? 'It is below and in your mail.'
        : `Yes or no, and the reason, here and by e-mail${answerBy ? `, by ${calendarDayText(answerBy)}` : ''}.`,
    },
  ]
  return track(steps, here, isDecided ? 'finished' : 'current')
}

const withdrawnSteps = (found: Found, steps: readonly Step[], { timeZone }: Moment): Step[] => [
  { ...(steps[0] as Step), state: 'past', here: undefined },
  {
    label: 'Withdrawn',
    state: 'past end',
    here: 'Stopped',
    time: shortMoment(new Date(found.withdrawnAt ?? 0), timeZone),
    text: 'By you, on this page.',
  },
  ...steps.slice(2).map(({ label }): Step => ({ label, state: 'off', text: 'Not any more.' })),
]

export const standing = (found: Found, moment: Moment): Standing => {
  const view = viewOf(found, moment)
  const own =
    found.kind.path === 'applications'
      ? applicationSteps(found, moment)
      : answerSteps(found, moment)
  const steps = found.withdrawnAt ? withdrawnSteps(found, own, moment) : own
  const clock = view.clock ?? null
  const drawing = clock ? null : (view.drawing ?? 'sheet')
  return { isLate: false, explain: undefined, ...view, clock, drawing, steps }
}

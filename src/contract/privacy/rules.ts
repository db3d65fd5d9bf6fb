import type { FieldName, KindPath, Status } from '#contract/inbox.ts'
import type { Kinds } from '#contract/kinds.ts'

/**
 * Personal data: each purpose and period. The privacy page is written from this file and the
 * nightly clean-up follows it, so that the promise and the deletion cannot differ.
 */

/** Calendar months, or days of 24 hours. */
export type Span = { readonly months: number } | { readonly days: number }

/** The age in years below which the site is not directed to anyone. */
export const minimumAge = 16

/** The version of the terms that a form's consent names, as `YYYY-MM`. */
export const termsVersion = '2024-04'

/** Per kind of submission: how long a record lives after it came in, and what each field is for. */
export const submissions = {
  contacts: {
    label: 'Contact messages',
    keep: { months: 12 },
    fields: {
      name: 'to address you by name',
      email: 'to answer you',
      message: 'to know what you need',
    },
  },
  consultations: {
    label: 'Consultation requests',
    keep: { months: 24 },
    fields: {
      name: 'to address you by name',
      email: 'to confirm the appointment',
      phone: 'to hold the talk, or to reach you when a date moves',
      company: 'to look at your business before we talk (optional)',
      service: 'to send the right person',
      message: 'to prepare the talk',
      preferredDate: 'to offer you a time that suits',
      plan: 'your answers to the plan on the consultation page, to prepare the talk (optional)',
    },
  },
  applications: {
    label: 'Applications',
    keep: { months: 24 },
    /** An application that was turned down goes sooner, counted from the decision. */
    keepDecided: { rejected: { months: 6 } },
    fields: {
      name: 'to address you by name',
      email: 'to answer you and to arrange an interview',
      phone: 'to reach you on the day of an interview (optional)',
      location: 'to plan meetings across time zones',
      position: 'to know which opening you mean',
      university: 'to issue a certificate that your university can check',
      yearOfStudy: 'to match you with work of the right depth',
      major: 'to match you with the right team',
      portfolio: 'to see your work (optional)',
      linkedin: 'to see your background (optional)',
      coverLetter: 'to know why you apply',
      resumeUrl: 'to read your résumé where you keep it; we store the link, not the file',
    },
  },
} as const satisfies { [Path in KindPath]: SubmissionRule<Kinds[Path]> }

interface SubmissionRule<Kind extends Kinds[KindPath]> {
  label: string
  keep: Span
  /** For records with one of these statuses, counted from the time it was set. */
  keepDecided?: { readonly [S in Status<Kind>]?: Span }
  fields: Record<FieldName<Kind>, string>
}

/** Kept beside every submission, whatever its kind. */
export const alongside = {
  consent: 'when you agreed, and to which version of the terms',
  messages: 'what we wrote to each other about it',
  appointments:
    'the time and place of a talk that you booked, with whom, and whether your calendar said yes or no, to hold the talk',
  offers:
    'what we offered you and your answer; of a yes your name, its time and a hash of your IP address, to prove what was agreed',
  source:
    'the page you arrived on, the page that led you here, campaign tags in the link, and your time zone, to show you times in it',
} as const

/** Data that stays longer than the periods, because a person decided so. */
export const exceptions = {
  kept: 'Our staff can keep one submission longer, such as the record of a running project; the page of its sender then names no day.',
  accepted:
    'Of an offer that you accepted we can keep the text, your name, the time and the hash of your IP address, also after you erase your request; the page says so before you do.',
} as const

/** Counts that cannot tell one visitor from another, kept for good. */
export const counted = {
  visits:
    'how many visits begin on a page and how many forms are begun, by day, by the site or campaign that led there, and whether the screen is a phone’s',
  without:
    'No IP address, browser name, cookie or identifier is stored or logged with a visit, and none is counted where your browser sends Global Privacy Control or Do Not Track',
} as const

/** Technical data, with its period after the last use. */
export const housekeeping = {
  trash: {
    label: 'Records that staff have deleted',
    keep: { days: 30 },
    purpose: 'so that a mistake can be undone',
  },
  idempotencyKeys: {
    label: 'Keys that mark a form or a change by staff as already made, with the answer',
    keep: { days: 1 },
    purpose: 'so that sending twice stores one record and makes one change',
  },
  sessions: {
    label: 'Staff sign-ins and tokens of programs, ended',
    keep: { days: 30 },
    purpose: 'so that staff can see where they were signed in',
  },
  devices: {
    label: 'Devices that staff have signed in with, as random numbers',
    keep: { months: 12 },
    purpose: 'to tell staff of sign-ins from elsewhere',
  },
  refusedSignIns: {
    label: 'Sign-ins of staff that were refused, with address and IP unreadable',
    keep: { months: 12 },
    purpose: 'to find out who tried to get in',
  },
  pushes: {
    label: 'Notes of which notifications were sent to which device of our staff, without names',
    keep: { days: 2 },
    purpose: 'so that none is sent twice',
  },
  busyCopies: {
    label: 'Copies of when the calendars of our staff say that they are busy, as times alone',
    keep: { days: 1 },
    purpose: 'to offer you times at which we are free',
  },
  drafts: {
    label: 'Answers to you that our staff have begun and not sent',
    keep: { days: 30 },
    purpose: 'so that nothing written is lost',
  },
  deliveries: {
    label: 'Notes of what was announced to other programs of ours, without names and texts',
    keep: { days: 30 },
    purpose: 'so that a failed announcement can be sent again, and none is sent twice',
  },
  limits: {
    label: 'Counters against abuse, by IP address',
    keep: { days: 30 },
    purpose: 'to stop floods of forms and guessed passwords',
  },
  accountMail: {
    label: 'E-mails to our staff about their accounts and their day, and invitations',
    keep: { days: 30 },
    purpose: 'so that one that failed can be sent again',
  },
  mailBodies: {
    label: 'The text of e-mails we sent about a form',
    keep: { days: 30 },
    purpose: 'so that a failed message can be sent again',
  },
} as const satisfies Record<string, { label: string; keep: Span; purpose: string }>

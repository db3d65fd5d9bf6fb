import * as z from 'zod/mini'
import { id, isoTimestamp } from '#contract/fields.ts'
import { attendance } from '#contract/inbox.ts'

export const appointmentStates = ['booked', 'cancelled'] as const

export const appointment = z.object({
  start: isoTimestamp,
  end: isoTimestamp,
  place: z.string(),
  state: z.enum(appointmentStates),
  /** The answer of the sender's calendar; null before that. */
  answer: z.nullable(z.enum(attendance)),
})
export type Appointment = z.output<typeof appointment>

export const staffAppointment = z.object({
  ...appointment.shape,
  _id: id,
  /** A username; null where the account is gone. */
  host: z.nullable(z.string()),
})
export type StaffAppointment = z.output<typeof staffAppointment>

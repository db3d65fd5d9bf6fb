import type * as z from 'zod/mini'
import type { consultations } from '#contract/consultations.ts'
import type { RecordDetail } from './record.ts'

export type ConsultationDetail = RecordDetail &
  Pick<z.output<typeof consultations.detail>, 'appointment' | 'offers' | 'service' | 'source'>

/** A record of the list is drawn as a detail until that is there: without offers. */
export const isConsultation = (record: RecordDetail): record is ConsultationDetail =>
  'offers' in record && 'appointment' in record

/** The zone that the form sent. */
export const zoneOf = ({ source }: ConsultationDetail): string | undefined => source?.timeZone

export const firstNameOf = ({ name }: { name: string }): string => name.split(/\s+/)[0] || name

import { type SQL, sql } from '#server/db/drizzle.ts'
import { PROMISED } from '#server/mail-out/link.ts'

const paragraph = `(?n)^(<p>)?${PROMISED} .*\\n+`

/** A body of the mail `m` about the record `x`, without the hour of an answer that has passed. */
export const withoutPastHour = (body: 'text' | 'html'): SQL => {
  const whole = sql.raw(`m.${body}`)
  return sql`case when m.kind = 'acknowledgement' and x.due_at <= now()
    then regexp_replace(${whole}, ${paragraph}::text, '') else ${whole} end`
}

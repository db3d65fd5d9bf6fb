/** What mail about an appointment tells. Times are ISO 8601 in UTC. */
export interface Invitation {
  what: 'booked' | 'moved' | 'cancelled' | 'reminder'
  to: 'sender' | 'host'
  /** The same for the appointment's life. */
  uid: string
  sequence: number
  /** When it was changed so. */
  stamp: string
  start: string
  end: string
  place: string
  /** The recipient's zone. */
  zone: string
  /** The sender's name; null once the sender has been erased. */
  name: string | null
  /** Who is met, as senders read it; null for the brand alone. */
  host: string | null
  /** The record's id; null once it is erased. */
  record: string | null
  /** What was written with it. */
  text: string | null
}

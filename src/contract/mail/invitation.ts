/** The facts of a mail about an appointment. Times are ISO 8601 in UTC. */
export interface Invitation {
  /**
   * `given` and `left`: the host has it in place of another one, or the other way round.
   * A sender gets `given` where the time stays.
   */
  what: 'booked' | 'moved' | 'given' | 'left' | 'cancelled' | 'reminder'
  to: 'sender' | 'host'
  /** The same for the appointment's life. */
  uid: string
  sequence: number
  /** The time of this change. */
  stamp: string
  start: string
  end: string
  place: string
  /** The recipient's zone. */
  zone: string
  /** The sender's name; null once the sender has been erased. */
  name: string | null
  /** The host's name for senders; null for the brand alone. */
  host: string | null
  /** The record's id; null once it is erased. */
  record: string | null
  text: string | null
}

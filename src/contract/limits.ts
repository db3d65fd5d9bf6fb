/**
 * Plain numbers that forms print as attributes and schemas enforce. Free of imports, so that a page
 * can use one without bundling a schema. Lengths are code points, times are in the unit they name.
 */
export const limits = {
  name: 100,
  email: 254,
  phone: { min: 5, max: 32, digits: 5 },
  company: 120,
  message: 5_000,
  location: 120,
  university: 160,
  major: 120,
  coverLetter: 10_000,
  url: 2_048,
  yearOfStudy: { min: 1, max: 6 },
  source: 300,
  note: 2_000,
  /** A message of staff to a sender, and the text of a template. */
  staffMessage: 10_000,
  /** Messages of one account in an hour, recalled ones too. */
  messagesPerHour: 200,
  /** A bulk message to more needs a step-up. */
  bulkMessageWithoutStepUp: 20,
  /** Time between storing a message and sending it; until then undo recalls it. */
  messageDelaySeconds: 10,
  /** The stored part of a mail that came in. */
  mailText: 50_000,
  mailSubject: 200,
  /**
   * The part that is kept whole, and the number of new contacts that is no flood; beyond that it is
   * cut, and set apart.
   */
  mailIn: {
    wholePerRecordDay: 30,
    wholePerDay: 500,
    cut: 500,
    contactsPerDomainHour: 30,
    contactsPerHour: 200,
  },
  templateName: 100,
  subject: 200,
  blank: 60,
  displayName: 60,
  signature: 500,
  viewName: 100,
  /** Saved views of one account. */
  views: 100,
  /** Scores only: the most that can be given, and the length of its comment. */
  score: { max: 4, comment: 2_000 },
  /** The time for which the detail names a colleague who is writing. */
  writingSeconds: 30,
  search: 200,
  username: { min: 2, max: 40 },
  password: { min: 12, maxBytes: 256 },
  passkeyName: 60,
  /** A sign-in challenge, a passkey's or that of a second factor. */
  challengeMinutes: 5,
  /** Wrong second factors that end a challenge. */
  challengeTries: 5,
  stepUpMinutes: 15,
  recoveryCodes: 10,
  invitationHours: 72,
  resetMinutes: 60,
  resetsPerHour: 3,
  /** Calls for passkey options from one IP in 15 minutes. */
  passkeyOptions: 60,
  /** A message on the sender's page, and the number in 24 hours. */
  reply: 5_000,
  repliesPerDay: 20,
  /** Corrections of one record by its sender: each is kept with the values that it replaced. */
  correctionsPerDay: 50,
  /** Appointments of one record that its sender makes and moves: each is mailed to both. */
  appointmentsPerDay: 50,
  /** Mails with the links of a sender's pages, to one address. */
  senderLinksPerHour: 3,
  /** Pages whose links one such mail carries. */
  senderLinks: 5,
  senderCode: { digits: 8, minutes: 10, tries: 5, perHour: 3 },
  /** After a corrected address, a sender's erasure moves the record to the trash for this long. */
  erasureDelayDays: 7,
  /** Requests for a link by mail from one IP. */
  linkRequestsPerHour: 20,
  /** Wrong `INBOUND_SECRET`s from one IP in an hour. */
  wrongInboundSecrets: 20,
  /** Devices of one account that get notifications. */
  pushDevices: 10,
  /** Tokens of one account, and what each may do in an hour. */
  tokens: 20,
  tokenName: 60,
  tokenCallsPerHour: 600,
  webhookEndpoints: 10,
  /** Records that an agent reads with one token. */
  agentRecordsPerHour: 60,
  proposalReason: 500,
  /**
   * A record's activity, and the messages on its sender's page: entries, characters, and bytes in
   * all.
   */
  activity: { page: 50, text: 5_000, bytes: 900_000 },
  page: { default: 50, max: 200 },
  bulk: 200,
  idempotencyKey: 255,
  bodyBytes: 64 * 1024,
  /** Calls that carry offers and messages. */
  longBodyBytes: 128 * 1024,
  /** The path of a request, without its query. */
  path: 2_048,
  /** A form sent sooner than this after its page loaded is taken for a robot's. */
  tooFastMs: 1_500,
  linksInText: 5,
  /** Limit for one IP, over all forms. */
  submissionsPerHour: 10,
  /** Limit for one IP, with the trap filled in. */
  trappedPerHour: 60,
  /** To one recipient. */
  acknowledgementsPerDay: 3,
  promiseHours: 24,
  dueSoonHours: 4,
  preferredDate: { daysBack: 1, yearsAhead: 2 },
  statsDays: { default: 30, max: 365 },
  /** A host's minutes, hours and days; the longest span that one call asks about, in days. */
  hours: {
    ranges: 28,
    buffer: { min: 0, max: 60 },
    notice: { min: 1, max: 168 },
    horizon: { min: 1, max: 60 },
    place: 300,
    span: 31,
  },
  offeredTimes: 10,
  /** Least time between booking and reminder; no reminder where the appointment is nearer. */
  reminderHours: 24,
  offer: {
    title: 200,
    text: 20_000,
    lines: 20,
    label: 200,
    amount: 1_000_000_000,
    terms: 20_000,
  },
} as const

import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, jsonOf } from './answer.ts'
import { Broken, type Check, type Deploy, Skipped } from './check.ts'

/** A message that is due may wait for the schedule, which runs each minute or two. */
const DUE_MS = 3 * 60_000
/** The longest wait for a test submission's mail, and the pause between looks. */
const DELIVERY_MS = 150_000
const LOOK_MS = 3_000

interface Waiting {
  nextAttemptAt: string | null
  record: { _id: string } | null
}

const newToken =
  'Sign in to the admin, run copy(localStorage.token) in the browser’s console, and set CHECK_TOKEN to it.'

const asStaff = async (deploy: Deploy, path: string, method = 'GET'): Promise<Answer> => {
  if (!deploy.token) {
    throw new Skipped(`cannot be seen from outside. ${newToken}`)
  }
  const headers = { Authorization: `Bearer ${deploy.token}` }
  const answer = await deploy.ask(path, { method, headers })
  if (answer.status === 401) throw new Broken('CHECK_TOKEN is not valid (any more)', newToken)
  return answer
}

const data = async <T>(deploy: Deploy, path: string): Promise<T> => {
  const answer = await asStaff(deploy, path)
  if (answer.status !== 200) throw new Broken(`${path} answers ${answer.status}`)
  return (jsonOf(answer) as { data: T }).data
}

const waitingMail = (deploy: Deploy) => data<Waiting[]>(deploy, '/api/mail?status=waiting')

/** Waits until no mail of the test submission is on its way. */
const delivered = async (deploy: Deploy): Promise<boolean> => {
  const isOurs = ({ record }: Waiting) => deploy.stored.includes(record?._id ?? '')
  for (let waited = 0; waited <= DELIVERY_MS; waited += LOOK_MS) {
    if (!(await waitingMail(deploy)).some(isOurs)) return true
    await pause(LOOK_MS)
  }
  return false
}

const requireNoneFailed = async (deploy: Deploy): Promise<void> => {
  const { mail } = await data<{ mail: { failed: number } }>(deploy, '/api/stats?days=1')
  if (mail.failed > 0) throw new Broken(`${mail.failed} messages have failed for good`)
}

const mail: Check = {
  name: 'mail queue',
  remedy:
    'Open /admin/mail: it shows the provider’s last answer. No answer at all: RESEND_API_KEY is missing, or the scheduled function `outbox` does not run (Netlify: Logs → Functions). Deploy again after changing a setting.',
  async run(deploy) {
    const waiting = await waitingMail(deploy)
    const late = waiting.filter(
      ({ nextAttemptAt }) => nextAttemptAt && Date.parse(nextAttemptAt) < Date.now() - DUE_MS,
    )
    if (late.length > 0) {
      throw new Broken(`${late.length} messages should have been sent more than 3 minutes ago`)
    }
    await requireNoneFailed(deploy)
    if (deploy.stored.length === 0)
      return `nothing is overdue, ${waiting.length} wait for their time`
    if (!(await delivered(deploy))) throw new Broken('the test submission’s mail does not leave')
    // A mail that the provider refuses stops waiting, too.
    await requireNoneFailed(deploy)
    return 'nothing is overdue, and the test submission’s mail has left'
  },
}

const warningTexts: Record<string, string> = {
  retention_overdue: 'the clean-up has not succeeded for two days',
  migration_pending: 'the database lacks a migration',
  disk_nearly_full: 'the disk is nearly full',
}

const schedules: Check = {
  name: 'schedules',
  remedy:
    'Netlify: Logs → Functions shows when `outbox` and `retention` ran; schedules run on the published production deploy only. On your own machine: journalctl -u and the name of the unit. A migration: npm run db:migrate.',
  async run(deploy) {
    const { warnings } = await data<{ warnings: string[] }>(deploy, '/api/stats?days=1')
    if (warnings.length > 0) {
      throw new Broken(warnings.map((warning) => warningTexts[warning] ?? warning).join('; '))
    }
    return 'the clean-up ran when it should, nothing is reported'
  },
}

const trashTests = async (deploy: Deploy): Promise<void> => {
  const records = await data<{ _id: string; name: string }[]>(deploy, '/api/contacts?limit=50')
  for (const { _id, name } of records) {
    if (name !== 'Test by check-deploy') continue
    const { status } = await asStaff(deploy, `/api/contacts/${_id}`, 'DELETE')
    if (status !== 200) throw new Broken(`a deletion is answered with ${status}`)
  }
}

/** Puts away what the checks stored, or says that it is still there. */
export const removeTests = async (deploy: Deploy): Promise<string | undefined> => {
  if (!deploy.sendTo) return undefined
  try {
    await trashTests(deploy)
    return 'The test submissions are in the trash.'
  } catch {
    return 'The test submissions (“Test by check-deploy”) are in the inbox of Contacts: delete them there.'
  }
}

export const staffChecks: Check[] = [mail, schedules]

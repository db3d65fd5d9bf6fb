import { limits } from '#contract/limits.ts'
import { shortReference } from '#contract/reference.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { brand } from '#site/content.ts'
import { type Rendered, renderParagraphs, utc } from './render.ts'

/** Mail to staff about their own account: short, without anything that a stranger could use. */

/** `link` stands after the first paragraph. */
const mail = (title: string, [first = '', ...others]: readonly string[], link?: string): Rendered =>
  renderParagraphs(`${title} | ${brand().name}`, [first, ...(link ? [link] : []), ...others], link)

/** Advice if somebody else made the change. */
const ifNotYou = (siteUrl: string): string =>
  `If this was not you: set a new password at ${siteUrl}/admin/login (“Forgot password?”), look through your passkeys and sessions on your account page, and tell a superuser.`

export const renderNewDevice = (browser: string | null, siteUrl: string): Rendered =>
  mail('New sign-in to your account', [
    `Somebody signed in to your account with ${browser ?? 'an unknown browser'} on ${utc()}, on a device that was not used before.`,
    ifNotYou(siteUrl),
  ])

export const renderWrongFactors = (siteUrl: string): Rendered =>
  mail('Somebody knows your password', [
    `Your password was given rightly, and after it a wrong code or passkey ${limits.challengeTries} times within a day, the last one on ${utc()}. Nobody was signed in with these.`,
    ifNotYou(siteUrl),
  ])

export const renderPasswordChanged = (siteUrl: string): Rendered =>
  mail('Your password was changed', [
    'The password of your account was changed, and its sessions have ended.',
    'Passkeys and the authenticator app stay as they are: remove on your account page what you do not know.',
    ifNotYou(siteUrl),
  ])

export const renderEmailChanged = (newEmail: string, siteUrl: string): Rendered =>
  mail('The e-mail of your account was changed', [
    `A superuser changed the e-mail of your account to ${newEmail}. Sign in with it from now on.`,
    ifNotYou(siteUrl),
  ])

export const renderRoleChanged = (role: string): Rendered =>
  mail('Your role was changed', [
    `A superuser changed your role. You are ${role} from now on. Sign in again.`,
    'If you did not expect this, ask a superuser.',
  ])

type FactorLabel = 'a passkey' | 'an authenticator app' | 'new recovery codes'

export const renderFactorAdded = (what: FactorLabel, siteUrl: string): Rendered =>
  mail('A way to sign in was added', [
    `Your account has ${what} since ${utc()}.`,
    ifNotYou(siteUrl),
  ])

export const renderFactorRemoved = (
  what: 'a passkey' | 'the authenticator app' | 'all second factors',
  siteUrl: string,
): Rendered =>
  mail('A way to sign in was removed', [
    `Your account lost ${what} on ${utc()}.`,
    ifNotYou(siteUrl),
  ])

export const renderRecoveryCodeUsed = (siteUrl: string): Rendered =>
  mail('A recovery code was used', [
    `Somebody signed in to your account with one of its recovery codes on ${utc()}. That code works no more.`,
    ifNotYou(siteUrl),
  ])

export const renderInvitation = (by: string, role: string, link: string): Rendered =>
  mail(
    `Your invitation to ${brand().name}`,
    [
      `${by} invites you to work in the administration of ${brand().name}, as ${role}. Choose a username and a password here:`,
      `The link works once, for ${limits.invitationHours} hours. If you did not expect it, you can ignore this mail.`,
    ],
    link,
  )

export const renderReset = (link: string): Rendered =>
  mail(
    'Set a new password',
    [
      'Somebody asked for a new password for your account. Set it here:',
      `The link works once, for ${limits.resetMinutes} minutes. A newer one replaces it. Passkeys and the authenticator app stay, and are asked for at the next sign-in.`,
      'If you did not ask for it, you can ignore this mail: nothing has changed.',
    ],
    link,
  )

export const renderPrivacyNotice = (what: 'export' | 'erase', by: string): Rendered => {
  const [title, done] =
    what === 'export'
      ? ['A person’s data was exported', 'exported everything that is held on a person']
      : ['A person’s data was erased', 'erased everything that was held on a person']
  return mail(title, [
    `${by} ${done}, on ${utc()}. The audit log has the entry.`,
    'If this was not agreed, look into it: superusers alone can do this.',
  ])
}

/** Tells superusers by the reference, never by the person. */
export const renderSenderErasure = (
  what: 'erased' | 'asked',
  kind: Pick<Kind, 'noun'>,
  id: string,
): Rendered => {
  const record = `the ${kind.noun.toLowerCase()} ${shortReference(id)}`
  return what === 'erased'
    ? mail('A sender erased their record', [
        `The sender of ${record} erased it on their page, on ${utc()}. The audit log has the entry.`,
        'Nothing is left to do: a code that was mailed to the address confirmed it.',
      ])
    : mail('A sender asked for an erasure', [
        `On ${utc()} the page of ${record} asked for its erasure. Staff corrected its address within the last ${limits.erasureDelayDays} days, so it is in the trash instead.`,
        'Look at who corrected the address. If the sender asked, a superuser can erase it at once; otherwise an admin can take it out of the trash.',
      ])
}

/** @param filters undefined for figures, which name nobody */
export const renderExportNotice = (
  by: string,
  what: string,
  filters: readonly string[] | undefined,
): Rendered => {
  const isWhole = filters?.length === 0
  const extent = filters ? `, ${isWhole ? 'unfiltered' : `filtered by ${filters.join(', ')}`}` : ''
  return mail(`${filters ? 'A list was' : 'Figures were'} exported`, [
    `${by} exported ${filters ? what : `the figures of ${what}`} as CSV on ${utc()}${extent}. The audit log has the entry.`,
    'If this was not agreed, look into it: a file that has left cannot be taken back.',
  ])
}

export const renderEndpointOff = (
  { host, problem, isGone }: { host: string; problem: string; isGone: boolean },
  siteUrl: string,
): Rendered =>
  mail(
    'A webhook was switched off',
    [
      isGone
        ? `The webhook to ${host} answered that it is gone (410), so it was switched off. Look at it here:`
        : `The webhook to ${host} has taken nothing for five days, so it was switched off. Look at it here:`,
      `The last problem: ${problem}. Switched on again, it hears of what happens from then on.`,
    ],
    `${siteUrl}/admin/programs`,
  )

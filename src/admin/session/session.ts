import { useSyncExternalStore } from 'react'
import { ApiError, type CallInput, type CallOptions, call, send } from '#client/call.ts'
import { newKey } from '#client/idempotency-key.ts'
import { type Account, logout } from '#contract/accounts/auth.ts'
import type { Endpoint, OutputOf } from '#contract/http/endpoint.ts'
import { fetchOrTake } from './early-answers.ts'
import { noteRequirement, setRequirement, settleStepUp, stepUpAfter } from './requirement.ts'

/**
 * The browser's part of a sign-in: the token, a flag, and the signed-in person. Nothing about
 * anyone else. Every right is decided by the server; these only decide what is drawn.
 */
const keys = { token: 'token', flag: 'adminAuthenticated', user: 'currentUser' } as const

/** Values of the flag. `left` is there for a moment: it tells other tabs a sign-out from a lapse. */
const flags = { signedIn: 'true', left: 'signed-out' } as const

/** Belongs to the browser and stays after a sign-out. */
const deviceKey = 'device'

/** Set by a lapse, removed by the next sign-in: it keeps drafts, also in tabs that show another page. */
const lapsedKey = 'lapsed'

const sessionEvents = new EventTarget()
type SessionEvent = 'changed' | 'refused' | 'signed-in' | 'signed-out'
const announce = (name: SessionEvent): void => {
  sessionEvents.dispatchEvent(new Event(name))
}
const on = (name: SessionEvent, listener: () => void): (() => void) => {
  sessionEvents.addEventListener(name, listener)
  return () => sessionEvents.removeEventListener(name, listener)
}

export const readToken = (): string | null => localStorage.getItem(keys.token)

/** The guard asks for both: a token, and the flag of a finished sign-in. */
export const hasSession = (): boolean =>
  Boolean(readToken()) && localStorage.getItem(keys.flag) === flags.signedIn

let newDeviceId: string | undefined

/** The random id by which the server knows this browser again; stored by the first sign-in. */
export const deviceId = (): string => {
  newDeviceId ??= newKey()
  return localStorage.getItem(deviceKey) ?? newDeviceId
}

let signedOut = false

/** True if the last session ended by a sign-out; one that lapsed is taken up again where it was. */
export const wasSignedOut = (): boolean => signedOut

/** True if this tab shows a session: not one that began elsewhere after it was signed out here. */
export const useIsSignedIn = (): boolean =>
  useSyncExternalStore(
    (listener) => on('changed', listener),
    () => hasSession() && !signedOut,
  )

export const keepUser = (user: Account): void => {
  localStorage.setItem(keys.user, JSON.stringify(user))
}

export const keepSession = (token: string, user: Account): void => {
  signedOut = false
  localStorage.removeItem(lapsedKey)
  localStorage.setItem(keys.token, token)
  localStorage.setItem(keys.flag, flags.signedIn)
  localStorage.setItem(deviceKey, deviceId())
  keepUser(user)
  announce('changed')
}

/** Questions to the former person are not asked of the next one. */
const forgetQuestions = (): void => {
  settleStepUp(false)
  setRequirement(null)
}

const forgetSession = (): void => {
  for (const key of Object.values(keys)) localStorage.removeItem(key)
  forgetQuestions()
  announce('changed')
}

/** The server no longer accepts the session. Drafts wait for the person to sign in again. */
export const lapse = (): void => {
  // Another tab may have said so already, or signed out before this page was loaded.
  if (hasSession()) localStorage.setItem(lapsedKey, 'true')
  forgetSession()
}

/** True if the last session of this browser ended by itself, and nobody has signed in since. */
export const hasLapsed = (): boolean => localStorage.getItem(lapsedKey) !== null

/** Subscribes to calls that are refused for lack of a valid session. */
export const onRefused = (listener: () => void): (() => void) => on('refused', listener)

export const onSignedInElsewhere = (listener: () => void): (() => void) => on('signed-in', listener)

/** Subscribes to sign-outs, wherever they were made. A session that lapses is none. */
export const onSignedOut = (listener: () => void): (() => void) => on('signed-out', listener)

// These keys are marked so in `contract/browser-storage.ts`, whose texts are too long for the first
// script. A browser test compares both.
const endsWithSignOut = (key: string): boolean => /^(form|note|offer|reply|run):/.test(key)

/** Items of the device or of a visitor stay. */
const forgetDrafts = (): void => {
  for (const key of Object.keys(sessionStorage))
    if (endsWithSignOut(key)) sessionStorage.removeItem(key)
}

const forgetTab = (): void => {
  signedOut = true
  // A call of this tab was refused before it heard of the sign-out.
  localStorage.removeItem(lapsedKey)
  forgetQuestions()
  forgetDrafts()
  announce('signed-out')
  announce('changed')
}

const idIn = (user: string): string => (JSON.parse(user) as Account).id

/** Follows what other tabs do to the session: their sign-ins, sign-outs and lapses are this tab's too. */
export const followOtherTabs = (): (() => void) => {
  // Signed out elsewhere before this page was loaded.
  if (!hasSession() && !hasLapsed()) forgetDrafts()
  const listen = ({ key, oldValue, newValue }: StorageEvent) => {
    // Another account has signed in in another tab.
    if (key === keys.user && oldValue && newValue && idIn(oldValue) !== idIn(newValue)) {
      announce('signed-out')
      return location.reload()
    }
    if (key === keys.flag && newValue === flags.left) return forgetTab()
    const isSignIn = key === keys.flag && newValue === flags.signedIn
    if (isSignIn) signedOut = false
    announce('changed')
    if (isSignIn) announce('signed-in')
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}

/**
 * A page in the back-forward cache hears nothing. It goes in hidden, and on its return shows itself
 * only to the person who left it; after a lapse it asks for a sign-in and keeps its drafts.
 */
export const guardBackForwardCache = (): (() => void) => {
  const { style } = document.documentElement
  let shownTo: string | null = null
  const hide = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    shownTo = localStorage.getItem(keys.user)
    style.visibility = 'hidden'
  }
  const show = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    if (hasLapsed()) announce('changed')
    else if (!hasSession() || localStorage.getItem(keys.user) !== shownTo) forgetTab()
    // After what was forgotten has left the page.
    setTimeout(() => {
      style.visibility = ''
    })
  }
  addEventListener('pagehide', hide)
  addEventListener('pageshow', show)
  return () => {
    removeEventListener('pagehide', hide)
    removeEventListener('pageshow', show)
  }
}

const passOn = (error: unknown): never => {
  if (error instanceof ApiError && error.status === 401) announce('refused')
  noteRequirement(error)
  throw error
}

const attempt = async <T>(makeCall: () => Promise<T>): Promise<T> => {
  try {
    return await makeCall()
  } catch (error) {
    return (await stepUpAfter(error)) ? makeCall().catch(passOn) : passOn(error)
  }
}

/** A connection that stalls counts as none after this time. */
export const patienceMs = 20_000

/** Calls the API as the signed-in person. A call that needs a step-up waits for it. */
export const ask = <E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: Omit<CallOptions, 'token'> = {},
): Promise<OutputOf<E>> =>
  attempt(() =>
    call(endpoint, input, {
      timeoutMs: patienceMs,
      ...(endpoint.method === 'GET' ? { fetch: fetchOrTake } : {}),
      ...options,
      token: readToken(),
    }),
  )

/** Asks under a new key: the change is made once, even if the request arrives twice. */
export const askOnce = <E extends Endpoint>(endpoint: E, input: CallInput<E>) =>
  ask(endpoint, input, { idempotencyKey: newKey() })

/** Signs out in every tab: whatever the server says, this browser forgets, and the guard leads to the sign-in. */
export const signOut = async (): Promise<void> => {
  await ask(logout, {}, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
  localStorage.setItem(keys.flag, flags.left)
  forgetSession()
  forgetTab()
}

/** As {@link ask}, for an answer that is a file. */
export const askFile = async <E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: Omit<CallOptions, 'token'> = {},
): Promise<Blob> => {
  const response = await attempt(() =>
    send(endpoint, input, { timeoutMs: patienceMs, ...options, token: readToken() }),
  )
  return response.blob()
}

/** True if the server does not know the subject of the call (any more). */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** No answer, or a server that cannot answer: worth another try. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500)

/** The cause of an outage, after "The server", and what to do about it. */
export const outageOf = (error: unknown) =>
  error instanceof ApiError && error.status === 0
    ? { cause: 'cannot be reached', advice: 'Check your connection, then try again.' }
    : { cause: 'cannot answer at the moment', advice: 'Try again in a minute.' }

/** The server's own sentences, else the screen's. */
export const sentenceOf = (error: unknown, fallback: string): string =>
  error instanceof ApiError && !isOutage(error) && error.sentences.length > 0
    ? error.sentences.join(', ')
    : fallback

import type { CallInput, CallOptions } from '#client/call.ts'
import { ApiError, call, send } from '#client/call.ts'
import type { Account } from '#contract/auth.ts'
import type { Endpoint, OutputOf } from '#contract/endpoint.ts'

/**
 * What the browser keeps of a sign-in: the token, a flag, and the signed-in person. Nothing about
 * anyone else. Every right is decided by the server; these only decide what is drawn.
 */
const keys = { token: 'token', flag: 'adminAuthenticated', user: 'currentUser' } as const

export const readToken = (): string | null => localStorage.getItem(keys.token)

/** The guard asks for both: a token, and the flag of a finished sign-in. */
export const hasSession = (): boolean =>
  Boolean(readToken()) && localStorage.getItem(keys.flag) === 'true'

export const keepUser = (user: Account): void => {
  localStorage.setItem(keys.user, JSON.stringify(user))
}

export const keepSession = (token: string, user: Account): void => {
  localStorage.setItem(keys.token, token)
  localStorage.setItem(keys.flag, 'true')
  keepUser(user)
}

export const forgetSession = (): void => {
  for (const key of Object.values(keys)) localStorage.removeItem(key)
}

const happenings = new EventTarget()

/** Tells the guard that some call was refused for want of a valid session. */
export const onRefused = (listener: () => void): (() => void) => {
  happenings.addEventListener('refused', listener)
  return () => happenings.removeEventListener('refused', listener)
}

/** Tells whoever holds something of the signed-in person's that they have left for good. */
export const onSignedOut = (listener: () => void): void =>
  happenings.addEventListener('signed-out', listener)

/** Forgets all that this tab and this browser hold of the person. A lapsed session keeps drafts; this does not. */
export const signOutHere = (): void => {
  forgetSession()
  sessionStorage.clear()
  happenings.dispatchEvent(new Event('signed-out'))
}

const passOn = (error: unknown): never => {
  if (error instanceof ApiError && error.status === 401)
    happenings.dispatchEvent(new Event('refused'))
  throw error
}

/** Calls the API as the signed-in person. */
export const ask = <E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: Omit<CallOptions, 'token'> = {},
): Promise<OutputOf<E>> => call(endpoint, input, { ...options, token: readToken() }).catch(passOn)

/** As {@link ask}, for an answer that is a file. */
export const askFile = async <E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: Omit<CallOptions, 'token'> = {},
): Promise<Blob> => {
  const response = await send(endpoint, input, { ...options, token: readToken() }).catch(passOn)
  return response.blob()
}

/** No answer, or a server that cannot answer: worth another try, nobody's fault. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500)

/** The server's own sentences, else the screen's. */
export const sentenceOf = (error: unknown, fallback: string): string =>
  error instanceof ApiError && !isOutage(error) && error.sentences.length > 0
    ? error.sentences.join(', ')
    : fallback

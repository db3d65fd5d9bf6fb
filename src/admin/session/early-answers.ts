declare global {
  /** Calls that the page made before this script was loaded: `src/components/shell/early-calls.astro`. */
  var early: { token: string; answers: Map<string, Promise<Response>> } | undefined
}

/** True if the page made a call to this path early, and nobody has taken its answer yet. */
export const isAskedEarly = (path: string): boolean =>
  [...(globalThis.early?.answers.keys() ?? [])].some((url) => url.startsWith(`${path}?`))

/** The answer to the same `GET` that the page made early, once; otherwise the request is sent. */
export const fetchOrTake: typeof fetch = async (input, init) => {
  const { early } = globalThis
  const answer = early?.answers.get(String(input))
  const authorization = new Headers(init?.headers).get('Authorization')
  if (!answer || authorization !== `Bearer ${early?.token}`) return fetch(input, init)
  early?.answers.delete(String(input))
  const response = await answer.catch(() => undefined)
  // A refusal may be out of date by the time it is used.
  return response?.ok ? response : fetch(input, init)
}

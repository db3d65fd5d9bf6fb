export type Asked = Pick<RequestInit, 'method' | 'body'> & { headers?: Record<string, string> }

const TIMEOUT_MS = 15_000

/** One request, redirects not followed; rejects with a sentence when no answer comes. */
export async function ask(url: URL, { headers, ...asked }: Asked = {}) {
  try {
    const answer = await fetch(url, {
      ...asked,
      headers: { 'Accept-Encoding': 'identity', ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const body = Buffer.from(await answer.arrayBuffer())
    return {
      url: url.pathname + url.search,
      status: answer.status,
      /** The values of a header that came several times are joined with commas. */
      header: (name: string) => answer.headers.get(name) ?? undefined,
      body,
      text: body.toString(),
    }
  } catch (error) {
    const { message, cause = message } = error as Error
    throw new Error(`${url.pathname} could not be asked: ${cause}`)
  }
}

export type Answer = Awaited<ReturnType<typeof ask>>

export const jsonOf = ({ text }: Answer): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

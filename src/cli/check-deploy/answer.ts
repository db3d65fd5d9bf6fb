/** An answer as it came, redirects not followed. */
export interface Answer {
  url: string
  status: number
  /** The values of a header that came several times are joined with commas. */
  header(name: string): string | undefined
  body: Buffer
  text: string
}

export interface Asked {
  method?: string
  headers?: Record<string, string>
  body?: string
}

const TIMEOUT_MS = 15_000

/** One request; rejects with a sentence when no answer comes. */
export async function ask(url: URL, { headers, ...asked }: Asked = {}): Promise<Answer> {
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
      header: (name) => answer.headers.get(name) ?? undefined,
      body,
      text: body.toString(),
    }
  } catch (error) {
    const { message, cause = message } = error as Error
    throw new Error(`${url.pathname} could not be asked: ${cause}`)
  }
}

/** The JSON of an answer; undefined where it is none. */
export const jsonOf = ({ text }: Answer): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

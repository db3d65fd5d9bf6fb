import PQueue from 'p-queue'
import { type Answer, type Asked, ask } from './answer.ts'

/** A deploy under examination. */
export interface Deploy {
  /** An answer of the deploy; a GET that was asked before is not asked again. */
  get(path: string): Promise<Answer>
  ask(path: string, asked: Asked): Promise<Answer>
  /** Addresses of the sitemap's pages, without the host. */
  pages(): Promise<string[]>
  url: URL
  /** A staff member's token; what needs one is skipped without it. */
  token: string | undefined
  /** The recipient of the test submission's acknowledgement; nothing is stored without it. */
  sendTo: string | undefined
  stored: string[]
}

/** One promise of a deploy. */
export interface Check {
  name: string
  remedy: string
  /** Says in what way the promise is kept. Throws `Broken` or `Skipped` otherwise. */
  run(deploy: Deploy): Promise<string>
}

/** `remedy` takes the place of the check's own. */
export class Broken extends Error {
  readonly remedy: string | undefined
  constructor(text: string, remedy?: string) {
    super(text)
    this.remedy = remedy
  }
}
export class Skipped extends Error {}

export interface Outcome {
  name: string
  state: 'kept' | 'broken' | 'skipped'
  text: string
  remedy: string
}

/** Throws unless every problem is undefined; many are shortened to the first few. */
export const requireNone = (problems: readonly (string | undefined)[]): void => {
  const found = problems.filter((problem) => problem !== undefined)
  if (found.length === 0) return
  const rest = found.length > 3 ? `, and ${found.length - 3} more` : ''
  throw new Broken(found.slice(0, 3).join('; ') + rest)
}

/** A header that is not sent once and as promised. */
export const headerProblem = ({ url, header }: Answer, name: string, expected: string) =>
  header(name) === expected ? undefined : `${url} has ${name}: ${header(name) ?? 'none'}`

const locations = (sitemap: string): string[] =>
  [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname)

export function openDeploy(
  url: URL,
  { token, sendTo }: Pick<Partial<Deploy>, 'token' | 'sendTo'> = {},
): Deploy {
  const asked = new Map<string, Promise<Answer>>()
  const get = (path: string) => {
    const known = asked.get(path) ?? ask(new URL(path, url))
    asked.set(path, known)
    return known
  }
  const pages = async () => {
    const maps = locations((await get('/sitemap-index.xml')).text)
    const found = await inTurns(maps, async (path) => locations((await get(path)).text))
    return found.flat()
  }
  return {
    url,
    get,
    pages,
    token,
    sendTo,
    stored: [],
    ask: (path, request) => ask(new URL(path, url), request),
  }
}

/** Does something for each of many, a few at a time, and gives the results in their order. */
export const inTurns = <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> =>
  new PQueue({ concurrency: 8 }).addAll(items.map((item) => () => work(item)))

/** Runs a check; what it could not find out counts as broken. */
export async function outcomeOf({ name, remedy, run }: Check, deploy: Deploy): Promise<Outcome> {
  try {
    return { name, state: 'kept', text: await run(deploy), remedy }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    if (error instanceof Skipped) return { name, state: 'skipped', text, remedy }
    const own = error instanceof Broken ? error.remedy : undefined
    return { name, state: 'broken', text, remedy: own ?? remedy }
  }
}

import PQueue from 'p-queue'
import { type Answer, type Asked, ask } from './answer.ts'

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

/** Throws unless every problem is undefined; many are shortened to the first few. */
export const requireNone = (problems: readonly (string | undefined)[]): void => {
  const found = problems.filter((problem) => problem !== undefined)
  if (found.length === 0) return
  const rest = found.length > 3 ? `, and ${found.length - 3} more` : ''
  throw new Broken(found.slice(0, 3).join('; ') + rest)
}

export const headerProblem = ({ url, header }: Answer, name: string, expected: string) =>
  header(name) === expected ? undefined : `${url} has ${name}: ${header(name) ?? 'none'}`

const locations = (sitemap: string): string[] =>
  [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname)

/**
 * A deploy under examination.
 *
 * @param token a staff member's; what needs one is skipped without it
 * @param sendTo the recipient of the test submission's acknowledgement; nothing is stored without it
 */
export function openDeploy(
  url: URL,
  { token, sendTo }: { token?: string | undefined; sendTo?: string | undefined } = {},
) {
  const asked = new Map<string, Promise<Answer>>()
  /** A GET that was asked before is not asked again. */
  const get = (path: string) => {
    const known = asked.get(path) ?? ask(new URL(path, url))
    asked.set(path, known)
    return known
  }
  /** Addresses of the sitemap's pages, without the host. */
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
    /** The ids of test submissions. */
    stored: [] as string[],
    ask: (path: string, request: Asked) => ask(new URL(path, url), request),
  }
}

export type Deploy = ReturnType<typeof openDeploy>

/** Does something for each of many, a few at a time, and gives the results in their order. */
export const inTurns = <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> =>
  new PQueue({ concurrency: 8 }).addAll(items.map((item) => () => work(item)))

/** Runs a check; what it could not find out counts as broken. */
export async function outcomeOf({ name, remedy, run }: Check, deploy: Deploy) {
  try {
    return { name, state: 'kept', text: await run(deploy), remedy } as const
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    if (error instanceof Skipped) return { name, state: 'skipped', text, remedy } as const
    const own = error instanceof Broken ? error.remedy : undefined
    return { name, state: 'broken', text, remedy: own ?? remedy } as const
  }
}

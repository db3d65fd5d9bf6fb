import { health } from '#contract/http/health.ts'
import { HttpError } from '#server/http/http-error.ts'
import { type Route, route } from '#server/http/route.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { ping } from './store.ts'

const DEADLINE_MS = 2_000

export const healthRoutes: Route[] = [
  route(health, async (_call, { db, isReady = () => true }) => {
    if (!isReady()) throw new HttpError('unavailable', { retryAfter: 1 })
    const deadline = AbortSignal.timeout(DEADLINE_MS)
    const late = new Promise<never>((_, reject) => {
      deadline.addEventListener('abort', () =>
        reject(new HttpError('unavailable', { retryAfter: 5 })),
      )
    })
    await Promise.race([ping(db), late])
    return { data: { status: 'ok', database: 'ok', version: packageJson.version } } as const
  }),
]

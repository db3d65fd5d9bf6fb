import { health } from '#contract/http/health.ts'
import { withTimeLimit } from '#server/db/time-limit.ts'
import { HttpError } from '#server/http/http-error.ts'
import { type Route, route } from '#server/http/route.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { ping } from './store.ts'

const DEADLINE_MS = 2_000

export const healthRoutes: Route[] = [
  route(health, async (_call, { db, isReady = () => true }) => {
    if (!isReady()) throw new HttpError('unavailable', { retryAfter: 1 })
    await withTimeLimit(DEADLINE_MS, () => ping(db))
    return { data: { status: 'ok', database: 'ok', version: packageJson.version } } as const
  }),
]

import { limits } from '#contract/limits.ts'
import { listDevices, subscribeDevice, testDevice, unsubscribeDevice } from '#contract/push.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError, invalidField, orNotFound } from '#server/http/http-error.ts'
import { type Route, route } from '#server/http/route.ts'
import { isDeviceKey } from './encrypt.ts'
import { addDevice, findDevices, queueTest, removeDevice } from './store/devices.ts'

/** There are no notifications without keys: a 404 before anything that is wrong with the body. */
const exists = async (_: object, { config }: Deps): Promise<boolean> => config.push !== undefined

const requireKeys = ({ config }: Deps): void => {
  orNotFound(config.push)
}

export const pushRoutes: Route[] = [
  route(listDevices, async ({ actor }, deps) => {
    requireKeys(deps)
    return { data: await findDevices(deps.db, deps.config.authSecret, actor.id) }
  }),
  route(
    subscribeDevice,
    async ({ body: { endpoint, keys, renew = false }, actor, request }, deps) => {
      requireKeys(deps)
      if (!isDeviceKey(keys.p256dh))
        throw invalidField('keys', 'The keys are those of a push subscription.')
      const { db, config } = deps
      const device = { endpoint, keys }
      const added = await addDevice({ db, authSecret: config.authSecret }, actor.id, {
        device,
        renew,
      })
      if (!added)
        throw new HttpError(
          'conflict',
          `Notifications go to ${limits.pushDevices} devices at most. Switch them off on another one.`,
        )
      // Keeps the time at which the device is to hear of what waits already.
      request.afterResponse(deps.deliver())
      return { data: {} }
    },
    { exists },
  ),
  route(
    unsubscribeDevice,
    async ({ body, actor }, deps) => {
      requireKeys(deps)
      await removeDevice(deps.db, actor.id, body.endpoint)
      return { data: {} }
    },
    { exists },
  ),
  route(
    testDevice,
    async ({ body, actor, request }, deps) => {
      requireKeys(deps)
      orNotFound(await queueTest(deps.db, actor.id, body.endpoint))
      request.afterResponse(deps.deliver())
      return { data: {} }
    },
    { exists },
  ),
]

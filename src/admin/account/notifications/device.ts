import { listDevices, subscribeDevice, testDevice, unsubscribeDevice } from '#contract/push.ts'
import { ask } from '../../session/session.ts'

const WORKER = '/admin-push.js'
const SCOPE = '/admin'

export const canNotify = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** As far as it is used here; TypeScript does not know it yet, and not every browser has it. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(url: string): string }
}

/** The page's policy lets this one address be a worker. */
const workerUrl = (): string => {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  if (!trustedTypes) return WORKER
  return trustedTypes
    .createPolicy('push-worker', { createScriptURL: () => WORKER })
    .createScriptURL(WORKER)
}

let url: string | undefined

const register = async (): Promise<ServiceWorkerRegistration> => {
  url ??= workerUrl()
  await navigator.serviceWorker.register(url, { scope: SCOPE })
  return navigator.serviceWorker.ready
}

const findSubscription = async (): Promise<PushSubscription | null> => {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** The endpoint of this device, where the signed-in person gets notifications on it. */
export const findOwnEndpoint = async (): Promise<string | null> => {
  const endpoint = (await findSubscription())?.endpoint
  if (!endpoint) return null
  const { data } = await ask(listDevices, {})
  return data.some((device) => device.endpoint === endpoint) ? endpoint : null
}

const bodyOf = (subscription: PushSubscription) => {
  const { endpoint = '', keys = {} } = subscription.toJSON()
  return { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } }
}

export class NotAllowed extends Error {
  override name = 'NotAllowed'
}

/**
 * Asks the person, subscribes this browser and tells the server. Only after a click: browsers refuse to
 * ask otherwise.
 *
 * @throws {NotAllowed}
 */
export const turnOn = async (applicationServerKey: string): Promise<void> => {
  if ((await Notification.requestPermission()) !== 'granted') throw new NotAllowed()
  const { pushManager } = await register()
  const subscribe = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  const subscription = await subscribe().catch(async () => {
    // Subscribed with a key that was replaced since.
    await (await pushManager.getSubscription())?.unsubscribe()
    return subscribe()
  })
  await ask(subscribeDevice, { body: bodyOf(subscription) })
}

export const turnOff = async (): Promise<void> => {
  const subscription = await findSubscription()
  if (!subscription) return
  await ask(unsubscribeDevice, { body: { endpoint: subscription.endpoint } })
  await subscription.unsubscribe()
}

export const sendTest = async (endpoint: string): Promise<void> => {
  await ask(testDevice, { body: { endpoint } })
}

/**
 * Tells the server that this device is in use: after a new password or a restored backup it gets
 * notifications again only then. Changes nothing where the device is another person's.
 */
export const renew = async (): Promise<void> => {
  const subscription = await findSubscription()
  if (subscription) await ask(subscribeDevice, { body: { ...bodyOf(subscription), renew: true } })
}

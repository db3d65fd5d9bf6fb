import { ApiError } from '#client/call.ts'
import { type KindPath, undo } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { blind } from '../../record/blind.ts'
import { queryClient } from '../../session/query-client.ts'
import { askOnce } from '../../session/session.ts'
import { attempt, notify } from '../../shell/notices.tsx'
import { renew } from './device.ts'

/** A click on a notification, as the service worker tells it. */
interface Click {
  /** Null of a test. */
  kind: KindPath | null
  _id: string | null
  /** "I take it" was clicked. */
  claim: boolean
  url: string
}

const act = async (work: () => Promise<void>, failed: string): Promise<void> => {
  await attempt(work, failed)
  await queryClient.invalidateQueries()
}

const undoClaim = (event: string): Promise<void> =>
  act(async () => {
    await askOnce(undo, { body: { event } })
    notify({ text: 'Nobody has it any more.' })
  }, 'That was not undone. Please try again.')

const claim = (click: Click, kind: KindPath, id: string): Promise<void> =>
  act(async () => {
    const claiming = askOnce(anyKind[kind].claim, { params: { id }, query: blind })
    const { meta } = await claiming.catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) held = click
      throw error
    })
    const { event } = meta
    notify({
      text: 'You have it now.',
      ...(event ? { action: { label: 'Undo', run: () => void undoClaim(event) } } : {}),
    })
  }, 'It was not assigned to you. Please try again.')

/** The click that waits for a sign-in. */
let held: Click | null = null
const hold = (click: Click): void => {
  held = click
}
let follow = hold

/** Asks for the click from before this window was open. */
const askWorker = async (): Promise<void> => {
  const worker = (await navigator.serviceWorker.getRegistration('/admin'))?.active
  if (!worker) return
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }: MessageEvent<Click | null>) => {
    if (data) follow(data)
  }
  worker.postMessage('waiting?', [port2])
}

let isListening = false

/** Takes clicks from now on, also before the sign-in: the worker forgets them when it ends. */
export const takeClicks = (): void => {
  if (isListening) return
  isListening = true
  navigator.serviceWorker.addEventListener(
    'message',
    ({ data, ports }: MessageEvent<{ click?: Click }>) => {
      if (!data.click) return
      ports[0]?.postMessage('taken')
      follow(data.click)
    },
  )
  navigator.serviceWorker.startMessages()
  void askWorker()
}

/**
 * Opens in this window what is clicked in a notification, claims it where that was asked for, and tells
 * the server that the device is in use.
 *
 * @returns ends it
 */
export const followClicks = (go: (url: string) => void): (() => void) => {
  follow = (click) => {
    const { kind, _id, claim: isClaimed, url } = click
    go(url)
    if (isClaimed && kind && _id) void claim(click, kind, _id)
  }
  takeClicks()
  if (held) follow(held)
  held = null
  void renew().catch(() => undefined)
  return () => {
    follow = hold
  }
}

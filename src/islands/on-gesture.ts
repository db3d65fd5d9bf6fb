import type { ClientDirective } from 'astro'
import { islandReady } from './island-ready.ts'

/**
 * `client:gesture`: hydrates an island when a pointer, a finger or a key first reaches it. A press, its
 * movement and keys are recorded meanwhile and dispatched again once the island is ready, so that the
 * gesture that loads the script also has its effect.
 */
const onGesture: ClientDirective = (load, _options, island) => {
  const gesture: Event[] = []
  const done = new AbortController()
  let isLoading = false

  const record = (event: Event) => {
    if (gesture[0] || event.type.endsWith('down')) gesture.push(event)
  }
  const reach = (event: Event) => {
    record(event)
    if (isLoading) return
    isLoading = true
    load().then((hydrate) => hydrate())
  }
  const repeat = () => {
    done.abort()
    const hasEnded = gesture.some(({ type }) => type === 'pointerup')
    for (const event of gesture) {
      const Kind = event.constructor as typeof Event
      const dispatch = () => gesture[0]?.target?.dispatchEvent(new Kind(event.type, event))
      // A gesture that has ended is replayed at its own speed; one that continues is caught up with.
      if (hasEnded) setTimeout(dispatch, event.timeStamp - (gesture[0]?.timeStamp ?? 0))
      else dispatch()
    }
  }
  for (const type of ['pointerover', 'pointerdown', 'focusin', 'keydown'])
    island.addEventListener(type, reach, done)
  // A pressed pointer may leave the island.
  for (const type of ['pointermove', 'pointerup', 'pointercancel'])
    addEventListener(type, record, done)
  island.addEventListener(islandReady, repeat, done)
}

export default onGesture

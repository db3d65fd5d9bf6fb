import { focusMain } from './focus-main.ts'

/** How many places are remembered. */
const DEPTH = 10

/**
 * Moves focus that the page took away, with a closed form or a deleted row, to the last place that is
 * still there, else to the open dialog or the screen. Answers what stops it.
 */
export const keepFocus = (): (() => void) => {
  let held: Node | null = null
  let places: HTMLElement[] = []

  const follow = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    held = target
    places = [...places.filter((one) => one !== target), target].slice(-DEPTH)
  }
  const leave = ({ target }: FocusEvent) => {
    // An element that is taken away may lose focus too; only what stays was left by choice.
    queueMicrotask(() => {
      if (held === target && held?.isConnected && document.activeElement === document.body)
        held = null
    })
  }
  const restore = () => {
    if (!held || held.isConnected || document.activeElement !== document.body) return
    held = null
    const dialog = [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1)
    const root = dialog ?? document.getElementById('main')
    places = places.filter((one) => one.isConnected)
    // In a select or a search, a letter that is meant as a key would choose or be typed.
    const last = places.findLast(
      (one) =>
        root?.contains(one) &&
        one.checkVisibility() &&
        !one.matches('select, [type=search], :disabled'),
    )
    if (last) last.focus()
    else if (dialog) dialog.focus()
    else focusMain()
  }
  // Whatever takes the place of what is gone may take the focus first.
  const watch = new MutationObserver(() => {
    if (held && !held.isConnected) setTimeout(restore)
  })

  document.addEventListener('focusin', follow)
  document.addEventListener('focusout', leave)
  watch.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', follow)
    document.removeEventListener('focusout', leave)
    watch.disconnect()
  }
}

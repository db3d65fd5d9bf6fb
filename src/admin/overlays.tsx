import { type ComponentType, useEffect } from 'react'
import { loadedLater } from './browser/loaded-later.ts'
import { useUnsaved } from './changes/change.ts'
import { useLocation } from './router/location.ts'
import { notify } from './shell/notices.tsx'
import { closeOverlay, type Overlay, type OverlayProps, useOverlay } from './shell/overlay.ts'

/** Names the overlay in the notice that it could not be loaded. */
const names: Record<Overlay, string> = {
  palette: 'The search for actions',
  keys: 'The list of keys',
  templates: 'The list of templates',
  views: 'The list of saved views',
  'save-view': 'The form for a view',
  'sign-out': 'The question about what is not saved',
}

/** Each is loaded when it is first opened. */
const overlays: Record<Overlay, ReturnType<typeof loadedLater<ComponentType<OverlayProps>>>> = {
  palette: loadedLater(async () => (await import('./palette/palette.tsx')).Palette),
  keys: loadedLater(async () => (await import('./shell/keys-dialog.tsx')).KeysDialog),
  templates: loadedLater(
    async () => (await import('./record/composer/templates-dialog.tsx')).TemplatesDialog,
  ),
  views: loadedLater(async () => (await import('./saved-views/views-dialog.tsx')).ViewsDialog),
  'save-view': loadedLater(
    async () => (await import('./saved-views/save-view-dialog.tsx')).SaveViewDialog,
  ),
  'sign-out': loadedLater(async () => (await import('./shell/sign-out-dialog.tsx')).SignOutDialog),
}

export function Overlays() {
  const name = useOverlay()
  const isAnyUnsaved = useUnsaved().length > 0
  // Load the question about unsaved changes early, so that it also opens without a connection.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change that waits tries it again
  useEffect(() => {
    void overlays['sign-out'].load().catch(() => undefined)
  }, [isAnyUnsaved])
  const url = useLocation(({ path, search }) => `${path}?${search}`)
  // Its entries are about the current screen and the person who is signed in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: every other URL closes it
  useEffect(() => closeOverlay, [url])
  return name && <Opened key={name} name={name} />
}

const stop = (event: Event): void => event.stopPropagation()

function Opened({ name }: { name: Overlay }) {
  const Component = overlays[name].use()
  const isLoading = !Component

  useEffect(() => {
    if (!isLoading) return
    // Keys typed before it is drawn are text for it, not shortcuts.
    addEventListener('keydown', stop, true)
    void overlays[name].load().catch(() => {
      closeOverlay()
      notify({ text: `${names[name]} could not be loaded. Please try again.`, tone: 'bad' })
    })
    return () => removeEventListener('keydown', stop, true)
  }, [name, isLoading])

  return Component && <Component onClose={closeOverlay} />
}

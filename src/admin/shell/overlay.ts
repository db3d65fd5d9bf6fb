import { modifierKey } from '../browser/modifier-key.ts'
import { createStore } from '../browser/store.ts'

/** Dialogs that any screen, a key or the palette opens, one at a time; `overlays.tsx` draws them. */
export type Overlay = 'palette' | 'keys' | 'templates' | 'views' | 'save-view' | 'sign-out'

export interface OverlayProps {
  onClose: () => void
}

const opened = createStore<Overlay | null>(null)

export const useOverlay = opened.use
export const openOverlay = (name: Overlay): void => opened.set(name)
export const closeOverlay = (): void => opened.set(null)

/** The keys that open the palette, as this device writes them. */
export const paletteKey = `${modifierKey} K`

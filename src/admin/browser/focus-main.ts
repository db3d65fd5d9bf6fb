/** Moves focus to the screen, when what had it is gone. */
export const focusMain = (): void => document.getElementById('main')?.focus({ preventScroll: true })

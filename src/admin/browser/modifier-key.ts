/** The modifier key of shortcuts as this device writes it. */
export const modifierKey = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

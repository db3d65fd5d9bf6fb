/** How the key beside a letter in a shortcut is written on this device. */
export const modifierKey = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

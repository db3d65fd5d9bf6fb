/** The ref of an element that takes the focus as it appears. */
export const focus = (element: HTMLElement | null): void => element?.focus()

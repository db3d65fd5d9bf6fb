import { onSignedOut } from '../session/session.ts'

/** Ids of what was last chosen in the palette, newest first; in this tab's memory, not in its storage. */
let ids: readonly string[] = []

const most = 5

export const recentIds = (): readonly string[] => ids

export const remember = (id: string): void => {
  ids = [id, ...ids.filter((other) => other !== id)].slice(0, most)
}

onSignedOut(() => {
  ids = []
})

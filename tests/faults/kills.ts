import { withCount } from '#cli/progress.ts'
import type { Fault } from './fault.ts'
import { killAndLook } from './kill-rig.ts'

const KILLS = 20

/** The short form of the benchmark with the same name, which kills 200 times. */
export const kills: Fault = {
  name: 'kills',
  promise: 'a process that is killed amid its work has kept all that it acknowledged',
  isQuick: false,
  async run(promise) {
    const { lost, doubled, torn, sentWrongly, acknowledged, cutOff } = await withCount(
      { what: 'kills', total: KILLS },
      (advance) => killAndLook(KILLS, { onKill: () => advance(1) }),
    )
    promise(
      `${KILLS} kills lose none of ${acknowledged} acknowledged writes`,
      lost.length === 0,
      lost,
    )
    promise(
      `none of these and of ${cutOff} that were cut off is stored twice when sent again`,
      doubled.length === 0,
      doubled,
    )
    promise('every record has the event that was written with it', torn.length === 0, torn)
    promise(
      'what was recalled in time has not left, and every other message has',
      sentWrongly.length === 0,
      sentWrongly,
    )
  },
}

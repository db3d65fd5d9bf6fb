import type { Fault } from './fault.ts'
import { killAndLook } from './kill-rig.ts'

const KILLS = 20

/** The short form of the benchmark with the same name, which kills 200 times. */
export const kills: Fault = {
  name: 'kills',
  promise: 'a process that is killed amid its work has kept all that it acknowledged',
  isQuick: false,
  async run(promise) {
    const { lost, torn, acknowledged } = await killAndLook(KILLS)
    promise(
      `${KILLS} kills lose none of ${acknowledged} acknowledged records`,
      lost.length === 0,
      lost,
    )
    promise('every record has the event that was written with it', torn.length === 0, torn)
  },
}

import { availableParallelism } from 'node:os'
import { withCount } from '#cli/progress.ts'
import { atLeast, none, type Part } from '#tests/bench/part.ts'
import { type KillReport, killAndLook } from '#tests/faults/kill-rig.ts'

const KILLS = 200

/** `kill -9` under writes, on the embedded database; two hosts at once where there are two processors. */
export const kills: Part = {
  name: 'kills',
  async measure() {
    const rigs = Math.min(2, availableParallelism())
    const reports = await withCount({ what: 'kills', total: KILLS }, (advance) =>
      Promise.all(
        Array.from({ length: rigs }, (_, index) =>
          killAndLook(KILLS / rigs, { series: `rig${index}`, onKill: () => advance(1) }),
        ),
      ),
    )
    const sum = (count: (report: KillReport) => number) =>
      reports.reduce((total, report) => total + count(report), 0)
    const killed = sum((report) => report.kills)
    const acknowledged = sum((report) => report.acknowledged)
    const cutOff = sum((report) => report.cutOff)
    return {
      rows: [
        none(
          `of ${acknowledged.toLocaleString('en')} acknowledged writes lost, 50 a second`,
          sum(({ lost }) => lost.length),
        ),
        none(
          `writes stored twice, each sent again after the kill, ${cutOff.toLocaleString('en')} were cut off`,
          sum(({ doubled }) => doubled.length),
        ),
        none(
          'records stored without their event',
          sum(({ torn }) => torn.length),
        ),
        none(
          'messages that left although recalled, or did not leave',
          sum(({ sentWrongly }) => sentWrongly.length),
        ),
        atLeast('kills (kill -9) that the database came back from', killed, KILLS),
      ],
      details: { kills: killed, acknowledged, cutOff, reports },
    }
  },
}

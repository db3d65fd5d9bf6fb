import { availableParallelism } from 'node:os'
import { killAndLook } from '#tests/faults/kill-rig.ts'
import { atLeast, none, type Part } from './part.ts'

const KILLS = 200

/** `kill -9` under writes, on the embedded database; two hosts at once where there are two processors. */
export const kills: Part = {
  name: 'kills',
  async measure() {
    const rigs = Math.min(2, availableParallelism())
    const reports = await Promise.all(
      Array.from({ length: rigs }, (_, index) => killAndLook(KILLS / rigs, `rig${index}-`)),
    )
    const sum = (count: (report: (typeof reports)[number]) => number) =>
      reports.reduce((total, report) => total + count(report), 0)
    const killed = sum((report) => report.kills)
    const acknowledged = sum((report) => report.acknowledged)
    return {
      rows: [
        none(
          `of ${acknowledged.toLocaleString('en')} acknowledged records lost, 50 writes a second`,
          sum(({ lost }) => lost.length),
        ),
        none(
          'records stored without their event',
          sum(({ torn }) => torn.length),
        ),
        atLeast('kills (kill -9) that the database came back from', killed, KILLS),
      ],
      details: { kills: killed, acknowledged },
    }
  },
}

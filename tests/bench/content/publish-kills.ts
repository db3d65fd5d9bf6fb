import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { withCount } from '#cli/progress.ts'
import { atLeast, none, type Part } from '#tests/bench/part.ts'
import { openHost } from '#tests/bench/stage.ts'
import { end, newFolder } from '#tests/launch.ts'
import { openDesk } from './desk.ts'

const KILLS = 200

/** A kill comes up to this share of the time after which the first release, which none meets, is live. */
const LATEST = 1.3

interface Report {
  kills: number
  /** Releases that were live before their kill, and those that the kill cut off. */
  live: number
  cutOff: number
  /** Rounds after which two pages showed different releases. */
  mixed: number
  /** Rounds after which a release that had been live was not, or its texts were neither live nor drafts. */
  lost: number
  /** Rounds after which pages showed another release than the live one. */
  stale: number
}

/** The number that this round's edits carry on a page; 0 before the first. */
const markOn = (page: string): number => Number(/Mark (\d+)/.exec(page)?.[1] ?? 0)

/** Kills the host amid publishing, and looks after each start at what visitors and staff get. */
export const killAmidPublishing = async (
  kills: number,
  onKill: () => void = () => {},
): Promise<Report> => {
  const env = { DATA_DIR: newFolder() }
  const report: Report = { kills: 0, live: 0, cutOff: 0, mixed: 0, lost: 0, stale: 0 }
  let token: string | undefined
  let acknowledged = 0
  let killWithin: number | undefined
  for (let mark = 1; ; mark += 1) {
    const host = await openHost(env)
    const desk = await openDesk(host.url, token)
    token = desk.token
    const { meta } = await desk.call('GET', '')
    const shown = await Promise.all(
      ['/faq', '/about'].map(async (path) => markOn(await desk.page(path))),
    )
    const [release] =
      meta.release === 0 ? [] : [(await desk.call('GET', `/releases/${meta.release}`)).data]
    const liveMark = Number(/Mark (\d+)/.exec(release?.note ?? '')?.[1] ?? 0)
    if (shown[0] !== shown[1]) report.mixed += 1
    if (shown[0] !== liveMark) report.stale += 1
    if (meta.release < acknowledged) report.lost += 1
    if (mark > 1 && liveMark !== mark - 1) {
      const { data } = await desk.call('GET', '/changes')
      if (!JSON.stringify(data).includes(`Mark ${mark - 1}`)) report.lost += 1
    }
    if (report.kills === kills) {
      await end(host.process)
      return report
    }
    await desk.edit('faq', () => ({ question: `Mark ${mark}, is it?` }))
    await desk.edit('company', ({ story }) => ({ story: [`Mark ${mark}.`, ...story.slice(1)] }))
    const body = { release: meta.release, note: `Mark ${mark}` }
    const { data } = await desk.call('POST', '/publish', body)
    if (killWithin === undefined) {
      const start = performance.now()
      await desk.finished(data.n)
      killWithin = (performance.now() - start) * LATEST
      await end(host.process)
      acknowledged = data.n
      continue
    }
    const dead = AbortSignal.timeout(Math.round(Math.random() * killWithin))
    let isLive = false
    while (!dead.aborted) {
      if (!isLive) isLive = (await desk.call('GET', `/releases/${data.n}`)).data.state === 'live'
      await setTimeout(20)
    }
    await end(host.process, 'SIGKILL')
    if (isLive) acknowledged = data.n
    report[isLive ? 'live' : 'cutOff'] += 1
    report.kills += 1
    onKill()
  }
}

/** `kill -9` amid publishing; two hosts at once where there are two processors. */
export const publishKills: Part = {
  name: 'publish-kills',
  async measure() {
    const rigs = Math.min(2, availableParallelism())
    const reports = await withCount({ what: 'kills', total: KILLS }, (advance) =>
      Promise.all(
        Array.from({ length: rigs }, () => killAmidPublishing(KILLS / rigs, () => advance(1))),
      ),
    )
    const sum = (name: keyof Report) => reports.reduce((total, one) => total + one[name], 0)
    return {
      rows: [
        none('starts after which pages showed two releases', sum('mixed')),
        none('live releases and drafts lost', sum('lost')),
        none('starts after which pages showed another release than the live one', sum('stale')),
        atLeast(`kills amid publishing, ${sum('cutOff')} cut a release off`, sum('kills'), KILLS),
      ],
      details: { reports },
    }
  },
}

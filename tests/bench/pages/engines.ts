import { NotMeasurable, none, type Part } from '#tests/bench/part.ts'
import { requireBuiltSite } from '#tests/bench/stage.ts'
import { launchScript, outcome } from '#tests/launch.ts'

/** The promises of `npm run firefox` and `npm run webkit`; a browser that is not installed has no row. */
export const engines: Part = {
  name: 'engines',
  async measure() {
    await requireBuiltSite()
    const rows = []
    for (const engine of ['firefox', 'webkit']) {
      const { output } = await outcome(launchScript('tests/browsers/run.ts', [engine]))
      if (output.startsWith('Skipped')) continue
      const [, browser, kept, broken] =
        /^(.+): (\d+) promises kept, (\d+) broken$/m.exec(output) ?? []
      if (!browser) throw new Error(`${engine} ends without a result:\n${output.slice(-2_000)}`)
      const all = Number(kept) + Number(broken)
      rows.push(none(`promises broken in ${browser.replace('/', ' ')}, of ${all}`, Number(broken)))
    }
    if (rows.length === 0)
      throw new NotMeasurable('This machine has neither Firefox nor WebKitGTK.')
    return { rows, details: {} }
  },
}

import { openHost } from '#tests/bench/stage.ts'
import { end, launch, newFolder, outcome } from '#tests/launch.ts'
import type { Fault } from './fault.ts'

/** Two processes on one embedded database. */
export const secondOwner: Fault = {
  name: 'second-owner',
  promise: 'an embedded database has one owner, whose place is taken once it is killed',
  // `src/host/serve.test.ts` checks the same with an existing database.
  isQuick: false,
  async run(promise) {
    const env = { DATA_DIR: newFolder() }
    const first = await openHost(env)
    const second = await outcome(launch('serve', [], env))
    promise('a second start fails', second.code !== 0, second)
    promise('it names the owner', second.output.includes(String(first.process.pid)), second.output)
    const health = await fetch(`${first.url}/api/health`)
    promise('the owner goes on', health.status === 200, health.status)

    await end(first.process, 'SIGKILL')
    const third = await openHost(env)
    promise('what a killed process held is taken over', third.url !== '')
    await end(third.process)
  },
}

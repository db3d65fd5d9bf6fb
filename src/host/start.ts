import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildInputs } from '#host/build-inputs.ts'
import { readEnvironment, run } from '#host/environment.ts'
import { readConfig } from '#server/config.ts'
import { startRule } from '#server/password/rules.ts'

const root = join(import.meta.dirname, '../..')
/** Holds the inputs of the build that lies in `dist`. */
const stamp = join(root, '.build/inputs')

/** Builds the site unless `dist` holds what a build would make; whether it is there. */
function built(env: NodeJS.ProcessEnv): boolean {
  const inputs = buildInputs(root, env, new Date())
  const isThere = existsSync(join(root, 'dist/index.html')) && existsSync(stamp)
  if (isThere && readFileSync(stamp, 'utf8') === inputs) return true
  rmSync(stamp, { force: true })
  const { status } = spawnSync(process.execPath, ['--run', 'build'], {
    stdio: 'inherit',
    cwd: root,
  })
  if (status === 0) writeFileSync(stamp, inputs)
  else process.exitCode = status ?? 1
  return status === 0
}

// Builds, then becomes the host: one process to watch, signal and end.
await run(async () => {
  // A wrong environment is reported before the build.
  const environment = readEnvironment()
  readConfig(environment, await startRule(environment))
  if (built(environment)) await import('#host/serve.ts')
})

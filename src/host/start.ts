import { spawnSync } from 'node:child_process'
import { readEnvironment, run } from '#host/environment.ts'
import { readConfig } from '#server/config.ts'
import { startRule } from '#server/password/rules.ts'

// Builds, then becomes the host: one process to watch, signal and end.
await run(async () => {
  // A wrong environment is reported before the build.
  const environment = readEnvironment()
  readConfig(environment, await startRule(environment))
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  if (status === 0) await import('#host/serve.ts')
  else process.exitCode = status ?? 1
})

import { spawnSync } from 'node:child_process'

// Builds, then becomes the host: one process for whoever started it to watch, signal and end.
const { status } = spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
if (status === 0) await import('#host/serve.ts')
else process.exitCode = status ?? 1

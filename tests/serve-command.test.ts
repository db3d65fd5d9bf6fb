import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serveSettings } from '#tests/launch.ts'

test('the service and the image start the host as `npm run serve` does', () => {
  const { env, flags } = serveSettings()
  expect(flags).not.toEqual([])
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const service = readFileSync('docs/examples/fledge.service', 'utf8')
  const image = readFileSync('Dockerfile', 'utf8').replaceAll('", "', ' ')
  for (const text of [service, image]) {
    for (const variable of variables) expect(text).toContain(variable)
    expect(text).toContain(`${flags.join(' ')} src/host/serve.ts`)
  }
})

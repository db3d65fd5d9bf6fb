import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { newVapidKeys } from '#server/secrets/vapid.ts'
import { headlessShell, onThisMachine } from '#tests/browser.ts'
import { superuser } from '#tests/e2e/superuser.ts'
import { freePort } from '#tests/postgres.ts'

// Read again in every worker, which inherits what the first reading settled.
process.env.E2E_PORT ??= String(await freePort())
process.env.E2E_CHROMIUM ??= onThisMachine()[0] ?? ''
if (!process.env.E2E_DATA_DIR) {
  const folder = mkdtempSync(join(tmpdir(), 'fledge-e2e-'))
  process.env.E2E_DATA_DIR = folder
  // The run has stopped its host by then.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}
const executablePath = headlessShell() ?? process.env.E2E_CHROMIUM

const baseURL = `http://127.0.0.1:${process.env.E2E_PORT}`

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  // Two leave a tenth of two processors idle while they wait for pages.
  workers: 3,
  // CI tries a failed test once more, with a trace; what passes only then is reported as flaky.
  retries: process.env.CI ? 1 : 0,
  // A busy machine may take its time: what must happen is waited for, however long.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    baseURL,
    trace: 'on-first-retry',
    launchOptions: { executablePath, args: ['--no-sandbox'] },
  },
  // The real host on the built site, with a database of its own. Behind a proxy, as it believes,
  // so that every test can come from an address of its own and meets no other's limits.
  webServer: {
    command: 'node src/host/serve.ts',
    url: `${baseURL}/api/health`,
    stdout: 'ignore',
    stderr: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    env: {
      PORT: process.env.E2E_PORT,
      DATA_DIR: process.env.E2E_DATA_DIR,
      TRUST_PROXY: '1',
      VAPID_PRIVATE_KEY: newVapidKeys().privateKey,
      ADMIN_EMAIL: superuser.email,
      ADMIN_USERNAME: superuser.username,
      ADMIN_PASSWORD: superuser.password,
    },
  },
})

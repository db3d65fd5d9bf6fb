import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright'
import { preparedFile } from '#server/db/embedded/new-database.ts'
import { findOrInstallChromium } from '#tests/browser.ts'
import { superuser } from '#tests/e2e/superuser.ts'
import { end, launch, newFolder, outcome, type Started, serve } from '#tests/launch.ts'

/** Settings of a host that many visitors call from one machine. */
export const hostSettings = {
  TRUST_PROXY: '1',
  ADMIN_EMAIL: superuser.email,
  ADMIN_USERNAME: superuser.username,
  ADMIN_PASSWORD: superuser.password,
}

/** The host as `npm start` starts it, with a database of its own. */
export const openHost = async (env: Record<string, string> = {}): Promise<Started> => {
  await requireBuiltSite()
  return serve({ DATA_DIR: newFolder(), ...hostSettings, ...env })
}

export const withHost = async <T>(
  work: (host: Started) => Promise<T>,
  env?: Record<string, string>,
): Promise<T> => {
  const host = await openHost(env)
  try {
    return await work(host)
  } finally {
    await end(host.process)
  }
}

export const withBrowser = async <T>(work: (browser: Browser) => Promise<T>): Promise<T> => {
  const browser = await chromium.launch({
    executablePath: await findOrInstallChromium(),
    args: ['--no-sandbox'],
  })
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

export const requireBuiltSite = async (): Promise<void> => {
  if (existsSync('dist/index.html') && existsSync(preparedFile())) return
  const { spawn } = await import('node:child_process')
  const { code, output } = await outcome(
    spawn('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  if (code !== 0) throw new Error(output)
}

/** Signs in, as the superuser unless told otherwise. */
export const signIn = async (
  url: string,
  { email, password }: { email: string; password: string } = superuser,
): Promise<{ token: string; user: object }> => {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(`The sign-in answered ${answer.status}`)
  return (await answer.json()) as { token: string; user: object }
}

/** Fills a database by `npm run sample-data`, with its usual counts unless told otherwise. */
export const fillWithSamples = async (
  env: Record<string, string>,
  counts: Readonly<Record<string, number>> = {},
): Promise<void> => {
  // The first start creates the superuser, before the sample users.
  await withHost(async () => {}, env)
  const args = Object.entries(counts).flatMap(([kind, count]) => [`--${kind}`, String(count)])
  const { code, output } = await outcome(launch('sample-data', args, env))
  if (code !== 0) throw new Error(output)
}

/** What the browser stores after a sign-in. */
export const rememberedAs = ({ token, user }: { token: string; user: object }) => ({
  token,
  adminAuthenticated: 'true',
  currentUser: JSON.stringify(user),
})

/** Has pages begin as after a sign-in. */
export const remember = (page: Page, session: Record<string, string>): Promise<unknown> =>
  page.addInitScript((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
  }, session)

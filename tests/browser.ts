import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'

/** A Chromium that starts: the machine's, else Playwright's own download, else Debian's package. */
export async function findOrInstallChromium(): Promise<string> {
  for (const candidate of onThisMachine()) if (await starts(candidate)) return candidate

  attempt('node_modules/.bin/playwright', ['install', 'chromium'])
  if (await starts(chromium.executablePath())) return chromium.executablePath()

  // A download that does not start lacks system libraries, which the package includes.
  attempt('apt-get', ['update'])
  const install = ['install', '--yes', '--no-install-recommends', 'chromium']
  attempt('apt-get', [...install, SHELL])
  // Older releases of Debian have no package of the shell.
  if (onThisMachine().length === 0) attempt('apt-get', install)
  for (const candidate of onThisMachine()) if (await starts(candidate)) return candidate
  throw new Error('No Chromium was found, and none could be installed')
}

/** Installed browsers, whether or not they start; installs nothing. */
export function onThisMachine(): string[] {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  return [...new Set([...names.flatMap(inPath), chromium.executablePath()])].filter((path) =>
    existsSync(path),
  )
}

/**
 * Chromium without windows, if this machine has it: a page takes half of the processor's time. It
 * has no back-forward cache.
 */
export const headlessShell = (): string | undefined =>
  inPath(SHELL).find((path) => existsSync(path))

const SHELL = 'chromium-headless-shell'

const inPath = (name: string): string[] =>
  (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))

async function starts(executablePath: string): Promise<boolean> {
  try {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    await browser.close()
    return true
  } catch {
    return false
  }
}

function attempt(command: string, args: string[]): void {
  try {
    execFileSync(command, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 300_000,
      env: {
        ...process.env,
        DEBIAN_FRONTEND: 'noninteractive',
        PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000',
      },
    })
  } catch {
    // Success shows when the browser is started.
  }
}

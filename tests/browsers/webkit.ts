import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { freePort } from '#tests/postgres.ts'
import { findProgram } from './firefox.ts'
import { proxied } from './proxy.ts'
import { type Driver, soon, type Tab } from './tab.ts'

/** Keys that WebDriver names by a code point. */
const keyCodes: Record<string, string> = {
  Escape: '\ue00c',
  ArrowLeft: '\ue012',
  ArrowRight: '\ue014',
}
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/** Collects what goes wrong from before the page's own scripts. WebDriver tells nothing of it. */
const collector = `globalThis.faults=[]
addEventListener('error',(e)=>faults.push(e.message??e.target.src),true)
addEventListener('unhandledrejection',(e)=>faults.push(String(e.reason)))
addEventListener('securitypolicyviolation',(e)=>faults.push('policy: '+e.violatedDirective+' '+e.blockedURI))`
const hash = `'sha256-${createHash('sha256').update(collector).digest('base64')}'`

/** WebKitGTK by WebDriver, on a screen in memory, with the host behind a proxy that collects faults. */
export async function webkit(): Promise<Driver | undefined> {
  const [driver, screen] = [findProgram('WebKitWebDriver'), findProgram('Xvfb')]
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  if (!driver || !screen || !binary) return undefined
  const processes: ChildProcess[] = []
  const display = spawn(screen, ['-displayfd', '1', '-screen', '0', '1400x1000x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  processes.push(display)
  const [number] = await once(createInterface(display.stdout), 'line')
  const address = `http://127.0.0.1:${await freePort()}`
  processes.push(
    spawn(driver, [`--port=${new URL(address).port}`], {
      stdio: 'ignore',
      env: { ...process.env, DISPLAY: `:${number}`, LIBGL_ALWAYS_SOFTWARE: '1' },
    }),
  )
  // biome-ignore lint/suspicious/noExplicitAny: each command of WebDriver answers with another shape.
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await fetch(address + path, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const { value } = (await answer.json()) as { value: { error: string; message: string } }
    if (!answer.ok) throw new Error(`${path}: ${value.error} ${value.message}`)
    return value
  }
  await soon(() =>
    call('GET', '/status').then(
      () => true,
      () => false,
    ),
  )
  const { sessionId, capabilities } = await call('POST', '/session', {
    capabilities: {
      alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } },
    },
  })
  const session = `/session/${sessionId}`
  // Stays open: a new window needs one that is there.
  const first: string = await call('GET', `${session}/window`)
  const proxies = new Map<string, Awaited<ReturnType<typeof proxied>>>()
  const proxyOf = async (origin: string) => {
    const known = proxies.get(origin)
    if (known) return known
    const made = await proxied(origin, ({ headers, html }) => {
      const policy = headers.get('content-security-policy')?.replace(/script-src /g, `$&${hash} `)
      if (policy) headers.set('content-security-policy', policy)
      return { headers, html: html.replace('<head>', `<head><script>${collector}</script>`) }
    })
    proxies.set(origin, made)
    return made
  }
  const named = new Map<string, string>()

  const open = async (width: number): Promise<Tab> => {
    await call('POST', `${session}/window`, { handle: first })
    const { handle } = await call('POST', `${session}/window/new`, { type: 'window' })
    const here = async (method: string, path: string, body?: object) => {
      await call('POST', `${session}/window`, { handle })
      return call(method, session + path, body)
    }
    await here('POST', '/window/rect', { width, height: 900 })
    const evaluate: Tab['evaluate'] = async (code, ...args) => {
      const expression = String(code).trim().replace(/;$/, '')
      const value = typeof code === 'string' ? expression : `(${expression})(...arguments)`
      // Asynchronous functions are waited for.
      const answer = await here('POST', '/execute/async', {
        script: `const done = [...arguments].at(-1)
          Promise.resolve((function () { return (${value}) }).apply(null, [...arguments].slice(0, -1)))
            .then((value) => done({ value }), (error) => done({ error: String(error) }))`,
        args,
      })
      if (answer.error) throw new Error(answer.error)
      return answer.value ?? undefined
    }
    /** In the middle of the window: WebKit's own scrolling may end below what is fixed. */
    const elementOf = async (selector: string): Promise<string> => {
      let found = ''
      await evaluate((css) => {
        document.querySelector(css)?.scrollIntoView({ block: 'center', behavior: 'instant' })
      }, selector)
      await soon(async () => {
        found = await here('POST', '/element', { using: 'css selector', value: selector }).then(
          (element) => element[ELEMENT],
          () => '',
        )
        return found !== ''
      })
      if (!found) throw new Error(`${selector} does not appear`)
      return found
    }
    const faults: string[] = []
    // A document takes its list along when it goes.
    const collect = async () => {
      const found = await evaluate(() => {
        const taken = (globalThis as unknown as { faults?: string[] }).faults?.splice(0) ?? []
        for (const entry of performance.getEntriesByType('resource')) {
          const { name, responseStatus } = entry as PerformanceResourceTiming
          if (responseStatus >= 400) taken.push(`${name} answers ${responseStatus}`)
        }
        performance.clearResourceTimings()
        return taken
      })
      faults.push(...found)
    }
    const pointer = (actions: object[]) =>
      here('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', actions }] })
    return {
      evaluate,
      goto: async (url) => {
        await collect()
        const { origin, href } = new URL(url)
        const proxy = await proxyOf(origin)
        named.set(proxy.url, origin)
        await here('POST', '/url', { url: proxy.url + href.slice(origin.length) })
      },
      url: async () => {
        const { origin, href } = new URL(await here('GET', '/url'))
        return (named.get(origin) ?? origin) + href.slice(origin.length)
      },
      click: async (selector) => {
        // A page that is not laid out yet has the element, but no place to click.
        await soon(async () => {
          const clicked = here('POST', `/element/${await elementOf(selector)}/click`, {})
          return clicked.then(
            () => true,
            (error: Error) => {
              if (!error.message.includes('not interactable')) throw error
              return false
            },
          )
        })
      },
      fill: async (selector, text) => {
        const element = await elementOf(selector)
        const isTyped = await evaluate((css) => {
          const field = document.querySelector<HTMLInputElement>(css)
          return !/date|SELECT/.test(`${field?.type} ${field?.tagName}`)
        }, selector)
        if (isTyped) {
          await here('POST', `/element/${element}/clear`, {})
          await here('POST', `/element/${element}/value`, { text })
          return
        }
        await evaluate(
          (css, value) => {
            const field = document.querySelector(css) as HTMLInputElement
            const prototype = Object.getPrototypeOf(field)
            Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
            field.dispatchEvent(new Event('input', { bubbles: true }))
            field.dispatchEvent(new Event('change', { bubbles: true }))
          },
          ...([selector, text] as [string, string]),
        )
      },
      key: async (name) => {
        const value = keyCodes[name] ?? name
        await here('POST', '/actions', {
          actions: [
            {
              type: 'key',
              id: 'keys',
              actions: [
                { type: 'keyDown', value },
                { type: 'keyUp', value },
              ],
            },
          ],
        })
      },
      drag: async (selector, x, y) => {
        const origin = { [ELEMENT]: await elementOf(selector) }
        await pointer([
          { type: 'pointerMove', origin, x: 0, y: 0 },
          { type: 'pointerDown', button: 0 },
          ...[1, 2, 3, 4, 5, 6].map(() => ({
            ...{ type: 'pointerMove', origin: 'pointer', duration: 20 },
            ...{ x: Math.round(x / 6), y: Math.round(y / 6) },
          })),
        ])
      },
      // After a release of all actions the driver still holds the button, and types without Shift.
      drop: () => pointer([{ type: 'pointerUp', button: 0 }]),
      names: async (selector) => {
        const found = await here('POST', '/elements', { using: 'css selector', value: selector })
        const names: string[] = []
        for (const { [ELEMENT]: element } of found) {
          const role = await here('GET', `/element/${element}/computedrole`)
          names.push(`${role} ${await here('GET', `/element/${element}/computedlabel`)}`)
        }
        return names
      },
      takeFaults: async () => {
        await collect()
        return faults.splice(0)
      },
      close: () => here('DELETE', '/window'),
    }
  }
  return {
    name: `WebKitGTK ${capabilities.browserVersion}`,
    open,
    close: async () => {
      await call('DELETE', session)
      for (const proxy of proxies.values()) proxy.close()
      for (const one of processes) one.kill()
    },
  }
}

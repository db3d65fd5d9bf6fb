import { getRequestListener, type HttpBindings } from '@hono/node-server'
import type { AstroIntegration } from 'astro'
import type { ViteDevServer } from 'vite'
import { readEnvironment } from '#host/environment.ts'
import { log } from '#host/log.ts'
import { prepareUsers } from '#host/prepare-users.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import type { Connection } from '#server/db/database.ts'
import { requireMigrated } from '#server/db/migrate.ts'
import { clientIp } from '#server/http/ip.ts'

type DevApp = ReturnType<typeof import('#host/dev-app.ts').createDevApp>

/**
 * Mounts the API into Astro's dev server. Its code comes through Vite, so that a change is there
 * at the next call; the database stays open meanwhile, since the embedded one has one owner.
 */
export function devApi(): AstroIntegration {
  let connection: Promise<Connection> | undefined
  let current: { module: object; app: DevApp } | undefined
  let origin = ''

  const open = async () => {
    const config = readConfig(readEnvironment())
    const opened = await connect(config)
    await requireMigrated(opened)
    await prepareUsers({ config, db: opened.db, log })
    return opened
  }

  const load = async (server: ViteDevServer): Promise<DevApp> => {
    connection ??= open()
    const opened = await connection
    const module = (await server.ssrLoadModule(
      '/src/host/dev-app.ts',
    )) as typeof import('#host/dev-app.ts')
    if (current?.module !== module) {
      const former = current?.app
      const config = readConfig({ ...readEnvironment(), SITE_URL: origin })
      // Before anything is awaited: another call would make one more.
      current = { module, app: module.createDevApp(config, opened) }
      await former?.stop()
    }
    return current.app
  }

  const close = async () => {
    await current?.app.stop()
    await (await connection)?.close()
    connection = undefined
    current = undefined
  }

  const mount = (server: ViteDevServer): void => {
    const listener = getRequestListener(
      async (request, bindings) => {
        const { incoming } = bindings as HttpBindings
        origin = new URL(request.url).origin
        const app = await load(server)
        return app.fetch(request, {
          ip: clientIp(incoming.socket.remoteAddress, undefined, false),
          afterResponse: (work) => void work,
        })
      },
      { overrideGlobalObjects: false },
    )
    server.middlewares.use((request, response, next) => {
      if (/^\/(api|status|preview|calendar|media)(\/|\?|$)/.test(request.url ?? ''))
        void listener(request, response)
      else next()
    })
    // SIGTERM and a closed terminal end the server through `closeBundle`; Ctrl+C does not.
    process.once('SIGINT', () => void close().finally(() => process.exit(0)))
  }

  return {
    name: 'api',
    hooks: {
      'astro:config:setup': ({ command, updateConfig }) => {
        if (command !== 'dev') return
        const plugin = { name: 'api', configureServer: mount, closeBundle: close }
        updateConfig({ vite: { plugins: [plugin] } })
      },
    },
  }
}

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * - `pass`: forwards everything
 * - `refuse`: closes open connections and accepts no new one
 * - `hold`: keeps all data and forwards nothing
 * - `cut`: forwards calls and breaks the connection in place of the answer
 */
export type Weather = 'pass' | 'refuse' | 'hold' | 'cut'

export interface TcpProxy {
  port: number
  weather: Weather
  /** The number of messages of each new connection that are answered; at the next answer it breaks. */
  answers: number
  close(): void
}

/** A proxy to a local port whose connections can be broken. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const open = new Set<Socket>()
  let weather: Weather = 'pass'
  let answers = Number.POSITIVE_INFINITY
  const server = createServer((near) => {
    if (weather === 'refuse') {
      near.destroy()
      return
    }
    const far = connect(target, '127.0.0.1')
    const both = [near, far]
    const drop = () => {
      for (const socket of both) socket.destroy()
    }
    for (const socket of both) {
      open.add(socket)
      socket.on('error', drop).on('close', () => {
        open.delete(socket)
        drop()
      })
    }
    const most = answers
    let messages = 0
    near.on('data', (data) => {
      messages += 1
      if (weather !== 'hold') far.write(data)
    })
    far.on('data', (data) => {
      if (weather === 'cut' || messages > most) drop()
      else if (weather !== 'hold') near.write(data)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const closeAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    get weather() {
      return weather
    },
    set weather(next) {
      weather = next
      if (next === 'refuse') closeAll()
    },
    get answers() {
      return answers
    },
    set answers(most) {
      answers = most
    },
    close() {
      closeAll()
      server.close()
    },
  }
}

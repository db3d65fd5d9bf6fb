import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * - `pass`: as if it were not there
 * - `refuse`: nobody answers, and what was open is closed
 * - `hold`: what is sent stays on the way
 * - `cut`: a call reaches the other side, its answer does not come back: the connection breaks
 */
export type Weather = 'pass' | 'refuse' | 'hold' | 'cut'

export interface TcpProxy {
  port: number
  weather: Weather
  /** The number of messages of each new connection that are answered; at the next answer it breaks. */
  answers: number
  close(): void
}

/** A connection to a port of this machine that can be cut. */
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

import { percentile } from '#tests/bench/statistics.ts'

export interface Load {
  /** Calls a second, whatever the answers take. */
  rate: number
  seconds: number
  /** Sends the n-th call and gives the status of its answer. */
  call: (n: number) => Promise<number>
}

export interface LoadReport {
  calls: number
  /** How often each status came; `broken` is a connection that failed. */
  statuses: Record<string, number>
  /** Milliseconds from when a call was due, not from when it was sent: a stalled server is not spared. */
  p50: number
  p95: number
  p99: number
  longest: number
}

/** More than this at once means that the other side has stopped: the rest is not sent. */
const MOST_AT_ONCE = 2_000

/** Calls at a fixed rate, each when it is due, without waiting for those before. */
export async function generate({ rate, seconds, call }: Load): Promise<LoadReport> {
  const statuses: Record<string, number> = {}
  const latencies: number[] = []
  const underWay = new Set<Promise<void>>()
  const count = Math.round(rate * seconds)
  const start = performance.now()

  for (let n = 0; n < count && underWay.size < MOST_AT_ONCE; n += 1) {
    const due = start + (n * 1_000) / rate
    const wait = due - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    const sent = call(n)
      .then(String, () => 'broken')
      .then((status) => {
        statuses[status] = (statuses[status] ?? 0) + 1
        latencies.push(performance.now() - due)
        underWay.delete(sent)
      })
    underWay.add(sent)
  }
  await Promise.all(underWay)
  return {
    calls: latencies.length,
    statuses,
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    longest: Math.max(...latencies),
  }
}

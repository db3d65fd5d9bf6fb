import { percentile } from '#tests/bench/statistics.ts'

export interface Load {
  /** Calls per second, independent of the answers. */
  rate: number
  seconds: number
  /** Sends the n-th call and returns the status of its answer. */
  call: (n: number) => Promise<number>
}

export interface LoadReport {
  calls: number
  /** Number of answers by status; `broken` is a failed connection. */
  statuses: Record<string, number>
  /** Milliseconds since a call was due, not since it was sent, so that stalls of the server count. */
  p50: number
  p95: number
  p99: number
  longest: number
}

/** With more concurrent calls than this the server counts as stopped: the rest is not sent. */
const MOST_AT_ONCE = 2_000

/** Calls at a fixed rate, without waiting for earlier answers. */
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

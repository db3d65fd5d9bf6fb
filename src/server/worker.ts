import type { Deps } from './deps.ts'
import type { Worker } from './mail-out/outbox.ts'
import { outboxWorker } from './mail-out/sender.ts'
import { pushLane } from './push/worker.ts'
import { webhookLane } from './webhooks/worker.ts'

/** All that a process sends by itself: mail, webhooks, notifications. */
export const createWorker = (deps: Pick<Deps, 'db' | 'config' | 'log'>): Worker => ({
  ...outboxWorker(deps),
  webhooks: webhookLane(deps),
  pushes: pushLane(deps),
})

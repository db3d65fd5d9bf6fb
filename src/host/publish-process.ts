import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Outcome } from '#site/publish.ts'
import type { Task } from '#site/render/child.ts'

/** Draws a release in a process of its own, so that its memory goes when it ends. */
export const publishInChild = async (
  task: Task,
  { renderer = '.build/renderer', signal }: { renderer?: string; signal?: AbortSignal } = {},
): Promise<Outcome> => {
  const child = fork(join(renderer, 'publish.mjs'), {
    serialization: 'advanced',
    execArgv: ['--max-semi-space-size=2', '--max-old-space-size=160'],
    env: { ...process.env, MALLOC_ARENA_MAX: '2' },
    ...(signal ? { signal } : {}),
  })
  child.send(task)
  const ended = once(child, 'exit').then(([code, by]) => {
    throw new Error(`The renderer ended without a result (${code ?? by})`)
  })
  const [outcome] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  return outcome as Outcome
}

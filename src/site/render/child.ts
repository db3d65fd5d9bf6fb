import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf } from '../build/check.ts'
import { readPages } from '../build/pages.ts'
import { readFinishing } from '../build/rewrite/finishing.ts'
import { type Outcome, publish, type ReleasedFile } from '../publish.ts'
import { renderSite } from './site.ts'

/** The process that draws a release and ends; `host/publish-process.ts` starts it. */

export interface Task {
  /** The folder of the built site. */
  dist: string
  before: readonly ReleasedFile[]
  noindex?: boolean
}

const draw = ({ dist, before, noindex }: Task): Promise<Outcome> => {
  const table = JSON.parse(readFileSync(join(import.meta.dirname, 'finishing.json'), 'utf8'))
  return publish({
    rendered: renderSite(),
    finishing: readFinishing(dist, table),
    before,
    fixed: readPages(dist).filter(({ path }) => /^\/admin(\/|$)/.test(path)),
    isFile: filesOf(dist),
    ...(noindex === undefined ? {} : { noindex }),
  })
}

// Disconnected only after the answer has left: it is more than a pipe holds at once.
process.on('message', async (task: Task) => {
  const outcome = await draw(task)
  process.send?.(outcome, () => process.disconnect())
})

import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const startsProcesses = ({ moduleId }: TestSpecification): boolean =>
  moduleId.includes('/faults/') ||
  /\/(processes|launch|functions|build-copy|render-process)\.ts'|worker_threads|child_process/.test(
    readFileSync(moduleId, 'utf8'),
  )

/**
 * Runs the files that start processes first: they take longest and wait most, and at the end of a run
 * nothing would be left to fill the wait.
 */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(startsProcesses), ...sorted.filter((file) => !startsProcesses(file))]
  }
}

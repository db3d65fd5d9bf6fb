import { statfs } from 'node:fs/promises'
import type { Warning } from '#contract/stats.ts'
import type { Config } from '#server/config.ts'

const LEAST_FREE_BYTES = 500 * 1024 ** 2

/** True if so little is left that a database will soon be unable to write. */
export const isNearlyFull = ({ free, total }: { free: number; total: number }): boolean =>
  free < Math.min(LEAST_FREE_BYTES, total / 20)

/**
 * Warnings about the machine. The host itself never starts on a database that lacks a migration.
 * With a database elsewhere there may be no `DATA_DIR`, and then nothing fills its disk.
 */
export const machineWarnings =
  ({ dataDir }: Pick<Config, 'dataDir'>) =>
  async (): Promise<Warning[]> => {
    const found = await statfs(dataDir).catch(() => null)
    if (!found) return []
    const { bavail, blocks, bsize } = found
    return isNearlyFull({ free: bavail * bsize, total: blocks * bsize }) ? ['disk_nearly_full'] : []
  }

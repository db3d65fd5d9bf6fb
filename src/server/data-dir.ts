import { accessSync, constants, mkdirSync } from 'node:fs'

/** Makes the folder that everything local lies in, or says why it cannot be used. */
export function makeDataDir(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      `DATA_DIR cannot be written (${code}): ${folder}. Let this user write there, or set another DATA_DIR.`,
      { cause: error },
    )
  }
}

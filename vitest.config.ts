import { defineConfig } from 'vitest/config'
import { SlowFilesFirst } from '#tests/slow-files-first.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'functions/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: ['tests/databases.ts'],
    // Generous: a test says what is true, not how fast the machine is.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A worker loads the program once, and opens one database for all of its files.
    isolate: false,
    // Some files wait for processes and clocks while others compute.
    maxWorkers: 3,
    sequence: { sequencer: SlowFilesFirst },
    // The embedded database of a file lives for seconds: optimising its code costs more than it saves.
    execArgv: ['--liftoff-only'],
    // CI tries a failed test once more, and names it.
    retry: process.env.CI ? 1 : 0,
  },
})

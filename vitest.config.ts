import { defineConfig } from 'vitest/config'
import { SlowFilesFirst } from '#tests/slow-files-first.ts'

const all = ['src/**/*.test.ts', 'functions/**/*.test.ts', 'tests/**/*.test.ts']

/** They read most of the content and need no build: they run a second time with somebody else's (decision 254). */
const readers = [
  'src/site/*.test.ts',
  'src/server/{content,openapi,plan,setup}/**/*.test.ts',
  'src/server/intake/{content,error-page,openings,plan}.test.ts',
  'src/server/inbox/hiring.test.ts',
  'src/server/mail-out/{digest,render/*}.test.ts',
]

const otherContent = {
  find: /^#content\/(.+\.json)$/,
  replacement: `${import.meta.dirname}/tests/fixtures/other-site/$1`,
}

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'site', include: all } },
      {
        extends: true,
        test: { name: 'other site', include: readers },
        resolve: { alias: [otherContent] },
      },
    ],
    globalSetup: ['tests/databases.ts'],
    // Generous: a test says what is true, not how fast the machine is.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A worker loads the program once, and opens one database for all of its files.
    isolate: false,
    // Some files wait for processes and clocks while others compute.
    maxWorkers: 3,
    sequence: { sequencer: SlowFilesFirst },
    // A test runs for a moment: optimising its code costs more than it saves.
    execArgv: ['--import=./src/server/db/drizzle-imports.ts', '--no-opt'],
    // CI tries a failed test once more, and names it.
    retry: process.env.CI ? 1 : 0,
  },
})

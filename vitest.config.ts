import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'functions/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: ['tests/databases.ts'],
    // Generous: a test says what is true, not how fast the machine is.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Each file restores a database of its own: more at once only take turns on the processors.
    maxWorkers: 2,
  },
})

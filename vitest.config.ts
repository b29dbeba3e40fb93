import { defineConfig } from 'vitest/config'

const serverTests = { include: ['apps/server/test/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 }

/** The server's tests go through the real door and run once for each engine; unit tests that need a database open their own. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'apps/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'server-sqlite', env: { TEST_ENGINE: 'sqlite' }, ...serverTests } },
      // Commands and moving begin with the file: once is enough.
      {
        test: {
          name: 'server-postgres',
          env: { TEST_ENGINE: 'postgres' },
          ...serverTests,
          exclude: ['apps/server/test/{commands,move}.test.ts'],
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
        },
      },
    ],
  },
})

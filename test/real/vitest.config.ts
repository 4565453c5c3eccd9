import { defineConfig } from 'vitest/config'

// One agent after another: each starts programs of several hundred megabytes.
export default defineConfig({
  test: {
    include: ['test/real/*.real.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
  },
})

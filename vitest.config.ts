import { defineConfig } from 'vitest/config'

const common = {
  exclude: ['**/node_modules/**', '**/fixtures/**', 'dist/**'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  pool: 'forks' as const,
}

export default defineConfig({
  test: {
    // Most tests wait for processes they started: more files than cores keep the cores busy.
    maxWorkers: 3,
    projects: [
      // A process for each file costs more than most of these tests do. They may share one: no module keeps state.
      { test: { ...common, name: 'unit', include: ['src/**/*.test.ts'], isolate: false } },
      { test: { ...common, name: 'whole', include: ['test/**/*.test.ts'] } },
    ],
  },
})

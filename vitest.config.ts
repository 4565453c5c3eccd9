import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const exclude = ['**/node_modules/**', '**/fixtures/**', 'dist/**']
const common = { testTimeout: 60_000, hookTimeout: 60_000, pool: 'forks' as const }

/** They count handles, fill tables, replace modules of Node or close what they share: each file has its own process. */
const alone = [
  'test/fleet/**/*.test.ts',
  'test/library/**/*.test.ts',
  'test/process/**/*.test.ts',
  'test/viewer/**/*.test.ts',
  'test/workspaces/swapped.test.ts',
]

/** A worker goes on with the next file only if that is of the same project; short files last fill what is left. */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not that of a list
    const sorted = await super.sort(files)
    return ['alone', 'whole', 'unit'].flatMap((name) => sorted.filter(({ project }) => project.name === name))
  }
}

export default defineConfig({
  test: {
    // Most tests wait for processes they started: more files than cores keep the cores busy.
    maxWorkers: 3,
    sequence: { sequencer: ByProject },
    projects: [
      // A process for each file costs more than most of its tests. They may share one: no module keeps state.
      { test: { ...common, name: 'unit', include: ['src/**/*.test.ts'], exclude, isolate: false } },
      {
        test: {
          ...common,
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...alone],
          isolate: false,
        },
      },
      { test: { ...common, name: 'alone', include: alone, exclude } },
    ],
  },
})

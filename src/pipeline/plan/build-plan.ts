// Cases + selection + runs → what will run, lazily: a million cases need no more memory than ten.
import type { TestCase } from '../../model/case.js'
import type { Planned } from '../../model/plan.js'
import type { ScriptFile, ScriptTest } from '../../model/script.js'
import { isFiltering, isInShard, isSelected, type Selection } from './filter.js'

export async function* planCases(
  batches: AsyncIterable<TestCase[]>,
  selection: Selection,
  runs: number | 'auto',
): AsyncGenerator<Planned[]> {
  const filtering = isFiltering(selection)
  for await (const batch of batches) {
    const selected = filtering ? batch.filter((testCase) => isSelected(testCase, selection)) : batch
    yield selected.map((testCase) => ({ unit: { kind: 'case', testCase, run: 1 }, runs: testCase.skip ? 1 : runs }))
  }
}

export async function* planScripts(
  files: ScriptFile[],
  selection: Selection,
  runs: number | 'auto',
): AsyncGenerator<Planned[]> {
  for (const file of files) {
    const tests = selectTests(file, selection)
    if (tests.length > 0) yield [{ unit: { kind: 'script_file', file, tests, run: 1 }, runs }]
  }
}

export function selectTests(file: ScriptFile, selection: Selection): ScriptFile['tests'] {
  const { match, shard } = selection
  const isNamed = (test: ScriptTest): boolean =>
    !match || test.unreadable === true || match(test.name) || match(test.id)
  return file.tests.filter((test) => isNamed(test) && isInShard(test.id, shard))
}

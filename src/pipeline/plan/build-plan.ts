// Cases or script files + selection → what will run, lazily: a million cases need no more memory than ten. Pure.
import type { Planned } from '../../model/plan.js'
import type { ScriptFile, ScriptTest } from '../../model/script.js'
import type { LoadedCase } from '../../model/source.js'
import { isFiltering, isInShard, isSelected, isWanted, type Selection } from './filter.js'

/** The first run of each selected case. */
export async function* planCases(
  batches: AsyncIterable<LoadedCase[]>,
  selection: Selection,
): AsyncGenerator<Planned[]> {
  const filtering = isFiltering(selection)
  for await (const batch of batches) {
    const selected = filtering ? batch.filter(({ testCase }) => isSelected(testCase, selection)) : batch
    yield selected.map(({ testCase, checks }) => ({ unit: { kind: 'case', testCase, run: 1 }, checks }))
  }
}

/** The first run of the selected tests of each file. */
export async function* planScripts(files: ScriptFile[], selection: Selection): AsyncGenerator<Planned[]> {
  for (const file of files) {
    const tests = selectTests(file, selection)
    if (tests.length > 0) yield [{ unit: { kind: 'script_file', script: file.ref, tests, run: 1 } }]
  }
}

export function selectTests(file: ScriptFile, selection: Selection): ScriptFile['tests'] {
  const { match, shard } = selection
  const isNamed = (test: ScriptTest): boolean =>
    !match || test.unreadable === true || match(test.name) || match(test.id)
  return file.tests.filter((test) => isNamed(test) && isWanted(test.id, selection) && isInShard(test.id, shard))
}

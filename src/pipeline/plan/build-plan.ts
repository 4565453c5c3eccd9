// Cases or script files + selection → what will run, lazily: a million cases need no more memory than ten. Pure.
import type { CaseUnit, Planned } from '../../model/plan.js'
import type { ScriptFile, ScriptTest } from '../../model/script.js'
import type { LoadedCase } from '../../model/source.js'
import { isFiltering, isInShard, isSelected, isWanted, type Selection } from './filter.js'

/** The first run of each selected case. */
export async function* planCases(
  batches: AsyncIterable<LoadedCase[]>,
  selection: Selection,
): AsyncGenerator<Planned[]> {
  const filtering = isFiltering(selection)
  let read = 0
  for await (const batch of batches) {
    const selected = filtering ? batch.filter((loaded) => isSelected(loaded, selection)) : batch
    const positions = selection.shard && new Map(batch.map((loaded, index) => [loaded, read + index + 1]))
    yield selected.map((loaded): Planned => {
      const { testCase, checks, print } = loaded
      const unit: CaseUnit = { kind: 'case', testCase, run: 1 }
      if (print) unit.print = print
      const position = positions?.get(loaded)
      if (position !== undefined) unit.position = position
      return { unit, checks }
    })
    read += batch.length
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

// Cases + selection + runs → what will run, lazily: a million cases need no more memory than ten.
import type { TestCase } from '../../model/case.js'
import type { PlannedCase } from '../../model/plan.js'
import type { ScriptFile } from '../../model/script.js'
import { isInShard, isSelected, type Selection } from './filter.js'

export async function* planCases(
  cases: AsyncIterable<TestCase>,
  selection: Selection,
  runs: number | 'auto',
): AsyncGenerator<PlannedCase> {
  for await (const testCase of cases) {
    if (!isSelected(testCase, selection)) continue
    yield {
      first: { kind: 'case', testCase, run: 1 },
      runs: testCase.skip ? 1 : runs,
      unit: (run) => ({ kind: 'case', testCase, run }),
    }
  }
}

export async function* planScripts(
  files: ScriptFile[],
  selection: Selection,
  runs: number | 'auto',
): AsyncGenerator<PlannedCase> {
  for (const file of files) {
    const tests = selectTests(file, selection)
    if (tests.length === 0) continue
    yield {
      first: { kind: 'script_file', file, tests, run: 1 },
      runs,
      unit: (run) => ({ kind: 'script_file', file, tests, run }),
    }
  }
}

export function selectTests(file: ScriptFile, selection: Selection): ScriptFile['tests'] {
  return file.tests.filter(
    (test) =>
      (!selection.match || selection.match(test.name) || selection.match(test.id)) &&
      isInShard(test.id, selection.shard),
  )
}

// A file with the evals or the trigger queries of a skill, read as it is: its entries become cases, and mistakes are
// reported in its own words.
import { fieldName, type FieldProblem } from '../../base/field-name.js'
import type { Problem } from '../../errors.js'
import { hasChecks } from '../../model/case-rules.js'
import { fieldOfEval, isSkillEval, readSkillEval } from '../../model/skill-eval.js'
import type { ReadValues } from './case-file.js'
import { positionOf, type Position, type RawValue } from './raw-value.js'

/** The same values; those that are entries of a skill as cases. `file`: absolute. */
export function withSkillEvals(read: ReadValues, file: string): ReadValues {
  return async function* (handle, onBytes) {
    let position = 0
    for await (const values of read(handle, onBytes)) {
      for (const [index, raw] of values.entries()) {
        position++
        if (isSkillEval(raw.value)) values[index] = await asCase(raw, raw.value, position, file)
      }
      yield values
    }
  }
}

async function asCase(
  raw: RawValue,
  entry: Record<string, unknown>,
  position: number,
  file: string,
): Promise<RawValue> {
  const { case: made, files, problems } = readSkillEval(entry, position)
  if (files.length > 0) {
    const read = await (await import('./skill-files.js')).readEvalFiles(files, file)
    problems.push(...read.problems)
    made['workspace'] = { fixtures: read.fixtures }
  }
  if (problems.length === 0 && !hasChecks(made)) problems.push({ path: ['expectations'], message: CHECKS_NOTHING })
  const locateIn = await locator(raw)
  const locate = (field: string): Position => locateIn(fieldOfEval(field, entry))
  return {
    ...raw,
    value: made,
    locate,
    ...(problems.length > 0 && { problems: problems.map((problem) => atField(problem, locateIn)) }),
  }
}

/** It would pass on both sides, and make them look alike. */
const CHECKS_NOTHING =
  'nothing is expected of the result: give statements that must be true of it, or an expected_output'

function atField({ path, message }: FieldProblem, locate: (field: string) => Position): Problem {
  const field = fieldName(path)
  return { ...locate(field), field, message }
}

async function locator(raw: RawValue): Promise<(field: string) => Position> {
  if (raw.locate) return raw.locate
  const { locateField } = await import('../../base/json/json-error.js')
  return (field) => positionOf(raw, locateField(raw.text, field))
}

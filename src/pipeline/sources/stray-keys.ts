// Nothing beside `cases` is read: anything there, such as an assertion for all of them, would be ignored. Beside the
// `evals` of a skill stands what its tools keep there; only further entries would be lost.
import { isRecord } from '../../base/record.js'
import type { Problem } from '../../errors.js'
import { isFreeKey } from '../../model/free-key.js'
import { isSkillEval } from '../../model/skill-eval.js'

export function strayKeys(file: unknown): string[] {
  if (!isRecord(file)) return []
  if (file['evals'] !== undefined) return Object.keys(file).filter((key) => holdsEntries(file[key]))
  return Object.keys(file).filter((key) => key !== 'cases' && key !== 'name' && !isFreeKey(key))
}

export function strayKey(name: string, list = 'cases'): Problem {
  return {
    field: name,
    message:
      list === 'cases'
        ? `unknown field "${name}" beside "cases": what a case needs belongs in the case itself`
        : `"${name}" beside "evals" holds entries that nothing reads: move them to a file of their own`,
  }
}

function holdsEntries(value: unknown): boolean {
  return Array.isArray(value) && value.some(isSkillEval)
}

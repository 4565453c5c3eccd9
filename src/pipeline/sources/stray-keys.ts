// Nothing beside `cases` is read: anything there, such as an assertion for all of them, would be ignored. In a file of a
// skill stands beside the list what its tools keep there; only further entries and checks would be lost.
import { isRecord } from '../../base/record.js'
import type { Problem } from '../../errors.js'
import { isFreeKey } from '../../model/free-key.js'
import { EXPECTATIONS, isSkillEval, SKILL_LISTS } from '../../model/skill-eval.js'

export interface StrayKey extends Problem {
  field: string
}

export function strayKeys(file: unknown): StrayKey[] {
  if (!isRecord(file)) return []
  const list = OF_SKILL.find((key) => file[key] !== undefined)
  if (list !== undefined)
    return Object.keys(file).flatMap((field) => {
      if (holdsEntries(file[field]))
        return {
          field,
          message: `"${field}" beside "${list}" holds entries that nothing reads: move them to a file of their own`,
        }
      return CHECKS.includes(field)
        ? { field, message: `"${field}" beside "${list}" checks nothing: it belongs in each entry` }
        : []
    })
  return Object.keys(file)
    .filter((key) => key !== 'cases' && key !== 'name' && !isFreeKey(key))
    .map((field) => ({
      field,
      message: `unknown field "${field}" beside "cases": what a case needs belongs in the case itself`,
    }))
}

/** What shows that a file belongs to a skill. */
const OF_SKILL = [...SKILL_LISTS, 'skill_name']
const CHECKS: readonly string[] = ['assert', ...EXPECTATIONS]

function holdsEntries(value: unknown): boolean {
  return Array.isArray(value) && value.some(isSkillEval)
}

// Nothing beside `cases` is read: anything there, such as an assertion for all of them, would be ignored.
import { isRecord } from '../../base/record.js'
import type { Problem } from '../../errors.js'
import { isFreeKey } from '../../model/free-key.js'

export function strayKeys(file: unknown): string[] {
  return isRecord(file) ? Object.keys(file).filter((key) => key !== 'cases' && key !== 'name' && !isFreeKey(key)) : []
}

export function strayKey(name: string): Problem {
  return {
    field: name,
    message: `unknown field "${name}" beside "cases": what a case needs belongs in the case itself`,
  }
}

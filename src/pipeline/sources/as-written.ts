// What a program or a script has written: data, as if it had been read from a file.
import { lostInJson, type Lost } from '../../base/json/lost-in-json.js'
import { isRecord } from '../../base/record.js'
import { UserError } from '../../errors.js'

/** Plain data that can no longer change. What JSON would lose, or turn into a check of nothing, is refused. */
export function casesAsWritten(values: readonly unknown[], label: string): unknown[] {
  const lost = lostInJson(values)
  if (lost)
    throw new UserError({
      code: 'BAD_CASES',
      message: `${label}: cases${lost.path} is ${lost.what}, but a case must be plain data`,
      hint: 'use strings, numbers, lists and objects; anything computed belongs in a script assertion',
    })
  for (const [index, value] of values.entries()) {
    const path = undefinedCheck(value)
    if (path !== undefined)
      throw new UserError({
        code: 'BAD_CASES',
        message: `${label}: cases[${index}]${path} is undefined, so it would check nothing`,
        hint: 'a name in the program may be misspelt; where nothing is to be checked, leave the key out',
      })
  }
  return JSON.parse(JSON.stringify(values)) as unknown[]
}

/** What would be lost of assertions on their own. */
export function lostInAssertions(specs: readonly unknown[]): Lost | undefined {
  const lost = lostInJson(specs)
  if (lost) return lost
  const path = undefinedPart(specs, '', false)
  return path === undefined ? undefined : { path, what: 'undefined, so it would check nothing' }
}

const CHECKS = ['assert', 'assertions', 'expected', 'final_assertions']
/** What they hold need only be a part of what is found: a key less is a check less. */
const PARTS = ['arguments', 'args', 'result', 'attributes']

/**
 * Where something that was meant to check is undefined: the only check of a case or a turn, or a part to look for.
 * JSON leaves out such keys without a word.
 */
function undefinedCheck(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  const named = CHECKS.filter((name) => name in value)
  const [first] = named
  if (first !== undefined && named.every((name) => value[name] === undefined) && value['turns'] === undefined)
    return `.${first}`
  for (const name of [...CHECKS, 'checkpoints']) {
    const path = undefinedPart(value[name], `.${name}`, false)
    if (path !== undefined) return path
  }
  for (const [index, turn] of (Array.isArray(value['turns']) ? value['turns'] : []).entries()) {
    const path = undefinedCheck(turn)
    if (path !== undefined) return `.turns[${index}]${path}`
  }
  return undefined
}

function undefinedPart(value: unknown, path: string, within: boolean): string | undefined {
  if (typeof value !== 'object' || value === null) return value === undefined && within ? path : undefined
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`
    // `{"$gt": undefined}` would be compared as an empty object.
    const needed = within || key.startsWith('$')
    if (inner === undefined && !needed) continue
    const found = undefinedPart(inner, at, needed || PARTS.includes(key) || isSchema(key, value))
    if (found !== undefined) return found
  }
  return undefined
}

function isSchema(key: string, assertion: object): boolean {
  return key === 'schema' || (key === 'value' && 'type' in assertion && assertion.type === 'schema')
}

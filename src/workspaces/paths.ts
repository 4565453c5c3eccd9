// Valid names for a workspace, a snapshot and a file in a workspace. Pure: where a path really leads is checked elsewhere.
import { partsOf, pathProblem } from '../base/relative-path.js'
import { show } from '../base/text.js'
import { PLAIN_NAME, PLAIN_NAME_RULE } from '../base/plain-name.js'
import { UserError } from '../errors.js'

/** Names become file names, so nothing else may stand in them. `field` is what the caller calls it: `workspace_id`. */
export function requireName(name: unknown, field: string): string {
  if (typeof name === 'string' && PLAIN_NAME.test(name)) return name
  throw new UserError({
    code: 'BAD_NAME',
    message: `${field} must match ${PLAIN_NAME_RULE}, found ${show(name, 80)}`,
    hint: 'use letters, digits, ".", "_" and "-", beginning with a letter or digit, at most 64 characters',
  })
}

/** The parts of a path relative to a workspace. Throws a UserError that names the path. */
export function requireRelative(path: string): string[] {
  const problem = pathProblem(path)
  if (problem !== undefined) throw badPath(path, problem)
  return partsOf(path)
}

export function badPath(path: string, problem: string): UserError {
  return new UserError({
    code: 'BAD_PATH',
    message: `the path ${show(path, 120)} cannot be used: ${problem}`,
    hint: 'paths are relative to the workspace and stay inside it, e.g. src/main.ts',
  })
}

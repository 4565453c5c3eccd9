// Arguments that the schema of a tool allows, and that make no sense together.
import { UserError } from '../errors.js'

export function badArguments(tool: string, message: string, hint = 'see docs/reference/tools.md'): UserError {
  return new UserError({ code: 'BAD_ARGUMENTS', message: `${tool}: ${message}`, hint })
}

// A command that does one of several things was asked for another.
import { UserError } from '../errors.js'

export function unknownAction(command: string, what: string, hint: string): UserError {
  return new UserError({ code: 'UNKNOWN_ACTION', message: `viva ${command} cannot "${what}"`, hint })
}

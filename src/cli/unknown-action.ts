// A command with several actions was asked for an unknown one.
import { UserError } from '../errors.js'

export function unknownAction(command: string, what: string, hint: string): UserError {
  return new UserError({ code: 'UNKNOWN_ACTION', message: `viva ${command} has no action "${what}"`, hint })
}

// A file or folder of the user's choice that cannot be written: what the system said, and where else it could go.
import { UserError } from '../errors.js'

export function cannotWrite(path: string, error: unknown, hint: string, exitCode: 2 | 3 = 2): UserError {
  const reason = error instanceof Error ? error.message : String(error)
  return new UserError({
    code: 'CANNOT_WRITE',
    message: `cannot write ${path}: ${reason}`,
    hint,
    exitCode,
    cause: error,
  })
}

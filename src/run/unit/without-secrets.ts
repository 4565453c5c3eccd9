// Errors that leave the library may be printed anywhere: what the run knows to be secret is not in them.
import { UserError } from '../../errors.js'
import { createRedactor, type Redactor } from '../../redact/redactor.js'
import { envOf, type RunIo } from '../io.js'

/** Until the run knows more, what the environment says is secret. */
export async function hidingSecrets<T>(given: Partial<RunIo>, work: (io: Partial<RunIo>) => Promise<T>): Promise<T> {
  let known: Redactor | undefined
  const useRedactor = (redactor: Redactor): void => {
    known = redactor
    given.useRedactor?.(redactor)
  }
  try {
    return await work({ ...given, useRedactor })
  } catch (error) {
    throw withoutSecrets(error, known ?? createRedactor({ env: envOf(given) }))
  }
}

/** Without its cause: that is where the secret came from. */
function withoutSecrets(error: unknown, redactor: Redactor): unknown {
  if (error instanceof UserError) {
    const { code, subject, reason, hint, problems, exitCode } = error
    const shown = redactor.value({ subject, message: reason, hint, problems })
    return new UserError({ code, exitCode, ...shown })
  }
  if (!(error instanceof Error)) return redactor.value(error)
  const shown = new Error(redactor.text(error.message))
  shown.name = error.name
  shown.stack = redactor.text(error.stack ?? error.message)
  return shown
}

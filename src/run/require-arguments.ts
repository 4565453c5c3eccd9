// What a program passes to the library: a name that is not known would be ignored, and with it a limit or a signal.
import { suggest } from '../base/suggest.js'
import { show } from '../base/text.js'
import { UserError } from '../errors.js'

/** `known` has a key for each option; undefined ones count as not given. */
export function requireKnownOptions(given: unknown, known: Record<string, true>, what: string): void {
  if (typeof given !== 'object' || given === null)
    throw bad(`${what}: expected an object, found ${show(given, 60)}`, `known: ${Object.keys(known).join(', ')}`)
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(known, key)) continue
    const near = suggest(key, Object.keys(known))
    throw bad(
      `${what}: no option called "${key}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
      `known: ${Object.keys(known).join(', ')}`,
    )
  }
}

/** Also one of another library, as long as it works. */
export function requireSignal(signal: unknown): void {
  const { aborted, addEventListener } = (signal ?? {}) as Partial<AbortSignal>
  if (typeof aborted === 'boolean' && typeof addEventListener === 'function') return
  throw bad(`signal: expected an AbortSignal, found ${show(signal, 60)}`, 'pass controller.signal, not the controller')
}

function bad(message: string, hint: string): UserError {
  return new UserError({ code: 'BAD_OPTION', message, hint })
}

// An error as one line, whatever it is: thrown, returned, or part of an answer.
import { isRecord, readNonEmpty } from '../../base/record.js'
import { asJson } from '../../base/text.js'

/** `TypeError: x is not a function` keeps its name; a plain `Error: boom` is `boom`. */
export function errorText(error: unknown): string {
  if (typeof error === 'string') return error
  if (error instanceof Error) {
    const message = error.message || '(no message)'
    return error.name === 'Error' ? message : `${error.name}: ${message}`
  }
  return (isRecord(error) ? readNonEmpty(error['message']) : undefined) ?? asJson(error)
}

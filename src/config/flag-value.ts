// The value of a flag that is read outside the options of a run.
import { messageOf } from '../base/message-of.js'
import { UserError } from '../errors.js'

/** What `read` makes of it; where it throws, an error that names the flag. */
export function flagValue<T>(flag: string, hint: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new UserError({ code: 'BAD_FLAG', subject: { flag }, message: messageOf(error), hint })
  }
}

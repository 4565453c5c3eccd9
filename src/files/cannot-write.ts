// A file or folder of the user's choice that cannot be written: why, and where it could go instead.
import { messageOf } from '../base/message-of.js'
import { ownValue } from '../base/record.js'
import { UserError } from '../errors.js'

/** `reason`: what the system threw, or a message. */
export function cannotWrite(path: string, reason: unknown, hint: string, exitCode: 2 | 3 = 2): UserError {
  return new UserError({
    code: 'CANNOT_WRITE',
    message: `cannot write ${path}: ${describeReason(reason)}`,
    hint,
    exitCode,
    cause: reason,
  })
}

function describeReason(reason: unknown): string {
  const code = reason instanceof Error && 'code' in reason ? String(reason.code) : ''
  const words = ownValue(WORDS, code)
  return words === undefined ? messageOf(reason) : `${words} (${code})`
}

const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would exceed the size limit',
  EIO: 'the disk reports an error',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
}

// An output that is also something we read: refused, since not even --force can mean to lose that.
import { realpathSync } from 'node:fs'
import { UserError } from '../../errors.js'

/** A link to a file is that file: writing goes through it. */
export function isSameFile(one: string, other: string): boolean {
  return realPath(one) === realPath(other)
}

export function outputTaken(flag: string, path: string, why: string): UserError {
  return new UserError({
    code: 'OUTPUT_TAKEN',
    message: `${flag} cannot write ${path}: ${why}`,
    hint: `name another file with ${flag}`,
  })
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

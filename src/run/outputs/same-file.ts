// An output that is also something we read: refused, since not even --force can mean to lose that.
import { followLinks } from '../../files/inside.js'
import { UserError } from '../../errors.js'

/** A link to a file is that file: writing goes through it. */
export function isSameFile(one: string, other: string): boolean {
  return followLinks(one) === followLinks(other)
}

export function outputTaken(flag: string, path: string, why: string): UserError {
  return new UserError({
    code: 'OUTPUT_TAKEN',
    message: `${flag} cannot write ${path}: ${why}`,
    hint: `name another file with ${flag}`,
  })
}

// An output that is also something we read: refused, since not even --force can mean to lose that.
import { resolve } from 'node:path'
import { followLinks } from './inside.js'
import { UserError } from '../errors.js'

/** A link to a file is that file: writing goes through it. */
export function isSameFile(one: string, other: string): boolean {
  return followLinks(one) === followLinks(other)
}

/** Runs that a command reads are not replaced by what it writes. */
export function requireNotRead(outputs: readonly string[], runs: readonly string[]): void {
  const taken = outputs.find((path) => runs.some((run) => isSameFile(resolve(path), resolve(run))))
  if (taken !== undefined) throw outputTaken('-o', taken, 'a run is read from it')
}

export function outputTaken(flag: string, path: string, why: string): UserError {
  return new UserError({
    code: 'OUTPUT_TAKEN',
    message: `${flag} cannot write ${path}: ${why}`,
    hint: `name another file with ${flag}`,
  })
}

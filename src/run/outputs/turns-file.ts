// Where `--save-turns` may write: refused at the start, since what a person has typed would otherwise be lost.
import { dirname, resolve } from 'node:path'
import { UserError } from '../../errors.js'
import { requireNotLinkedOut } from '../../files/linked-out.js'
import type { RunOptions } from '../../config/options.js'
import { requireNew, requireWritable } from '../../pipeline/record/open-output.js'
import type { DetectedInput } from '../../pipeline/sources/detect.js'
import type { Interrupted } from '../resume.js'
import { isSameFile, outputTaken } from '../../files/same-file.js'

export interface TurnsFileInit {
  appRoot: string
  options: RunOptions
  cwd: string
  input: DetectedInput
  interrupted: Interrupted | undefined
}

export function requireTurnsFile(given: string, { appRoot, options, cwd, input, interrupted }: TurnsFileInit): void {
  if (!/\.jsonl$/i.test(given)) throw notJsonl(given)
  const path = resolve(cwd, given)
  const isAt = (other: string): boolean => isSameFile(resolve(cwd, other), path)
  const taken = (why: string): UserError => outputTaken('--save-turns', given, why)
  if (input.files.some(isAt)) throw taken('the cases are read from it')
  if (options.output.some(isAt)) throw taken('-o writes to it')
  if (interrupted && isAt(interrupted.path)) throw taken('it holds the run that is resumed')
  // A run that was stopped has saved what it had; resumed, it saves that again with the rest.
  const isOurs = interrupted?.start.options['save_turns'] === given
  requireNew(path, options.force || isOurs, 'replace it (--force), or name another file with --save-turns')
  requireNotLinkedOut(dirname(path), `--save-turns ${given}`, [appRoot, cwd])
  requireWritable(path, '--save-turns')
}

function notJsonl(path: string): UserError {
  return new UserError({
    code: 'BAD_CASE_OUTPUT',
    message: `--save-turns writes JSONL, but ${path} does not end in .jsonl`,
    hint: `name it .jsonl, for example ${path.replace(/\.(?:json|ya?ml)$/i, '')}.jsonl`,
  })
}

// Several case files as one source: ids are unique over all of them, and the mistakes of all are listed.
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { UserError, type Problem } from '../../errors.js'
import { plural } from '../../base/format.js'
import { commonFolder } from '../../files/common-folder.js'
import { pathSeenFrom } from '../../files/inside.js'
import { statOf } from '../../files/stat.js'
import { PlanDigest } from '../../model/fingerprint.js'
import type { CaseSource, LoadedCase } from '../../model/source.js'
import type { DetectedInput } from './detect.js'
import type { OpenFileOptions, OpenSourceOptions } from './open-options.js'
import { SeenIds } from './seen-ids.js'

type OpenFile = (path: string, options: OpenFileOptions) => Promise<CaseSource>

// As much as for one file: what is kept does not grow with the number of files.
const KEPT_BYTES = 4 * 1024 * 1024

export async function openFiles(
  { files, value: label }: DetectedInput,
  options: OpenSourceOptions,
  openFile: OpenFile,
): Promise<CaseSource> {
  const ids = new SeenIds()
  const { cwd } = options
  const paths = files.map((file) => resolve(cwd, file))
  const opened: CaseSource[] = []
  const failed: UserError[] = []
  let room = KEPT_BYTES
  for (const [index, file] of files.entries()) {
    const path = paths[index] ?? file
    const shown = pathSeenFrom(cwd, path)
    room -= statOf(path)?.size ?? 0
    try {
      opened.push(await openFile(file, { ...options, ids, oneOf: { shown, keep: room >= 0 } }))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      failed.push(error)
    }
  }
  if (failed.length > 0) throw allOf(failed, files.length)
  const close = async (): Promise<void> => {
    for (const source of opened) await source.close()
  }
  return {
    kind: 'file',
    label,
    files: paths,
    dir: commonFolder(paths),
    total: opened.reduce((sum, source) => sum + (source.total ?? 0), 0),
    ...(options.fingerprintOf && { digest: digestOf(opened) }),
    hash: hashOf(opened),
    warnings: opened.flatMap(({ warnings }) => warnings),
    multi_turn: opened.some(({ multi_turn }) => multi_turn),
    cases: () => inOrder(opened),
    close,
  }
}

async function* inOrder(sources: readonly CaseSource[]): AsyncGenerator<LoadedCase[]> {
  for (const source of sources) yield* source.cases()
}

function digestOf(sources: readonly CaseSource[]): PlanDigest {
  const all = new PlanDigest()
  for (const { digest } of sources) if (digest) all.addAll(digest)
  return all
}

/** What is in the files, not what they are called: a run can be resumed after a folder was moved. */
function hashOf(sources: readonly CaseSource[]): string {
  const hash = createHash('sha256')
  for (const source of sources) hash.update(`${source.hash}\n`)
  return hash.digest('hex')
}

function allOf(failed: UserError[], count: number): UserError {
  const [first] = failed
  if (failed.length === 1 && first) return first
  const problems = failed.flatMap((error): Problem[] =>
    error.problems.length > 0 ? error.problems : [{ message: error.message }],
  )
  return new UserError({
    code: 'BAD_CASES',
    message: `${failed.length} of ${plural(count, 'case file')} cannot be used; nothing was run`,
    problems,
    ...(first?.hint !== undefined && { hint: first.hint }),
  })
}

// Cases are read, checked and compiled as for a run, and not run.
import { UserError, type Problem } from '../errors.js'
import { takeInline, type ProgramOptions } from '../run/inline.js'
import { completeIo, workingDir, type RunIo } from '../run/io.js'
import { prepare } from '../run/prepare.js'
import { readSettings } from '../run/settings.js'

export interface CheckedCases {
  /** Ids, in order. */
  ids: string[]
  problems: Problem[]
  warnings: string[]
}

/** Throws a UserError for anything but mistakes in the cases. */
export async function checkCases(
  given: ProgramOptions,
  io: Partial<RunIo>,
  signal: AbortSignal,
): Promise<CheckedCases> {
  const { options, inline } = await takeInline(given)
  const settings = await readSettings({ ...options, dry_run: true }, workingDir(io), inline, io)
  const ids: string[] = []
  try {
    const prepared = await prepare(settings, completeIo(io, settings.options), signal)
    try {
      for await (const batch of prepared.work.planned())
        for (const { unit } of batch) if (unit.kind === 'case') ids.push(unit.testCase.id)
      return { ids, problems: [], warnings: prepared.warnings }
    } finally {
      await prepared.close()
    }
  } catch (error) {
    if (!(error instanceof UserError) || error.problems.length === 0) throw error
    return { ids, problems: error.problems, warnings: [] }
  }
}

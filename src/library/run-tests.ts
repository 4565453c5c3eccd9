// Runs of this process or, with `--queue`, of a fleet, which is loaded on demand.
import { runSettings as runSettingsWith, runTests as runTestsWith, type RunOutcome } from '../run.js'
import type { ProgramOptions } from '../run/inline.js'
import type { RunIo } from '../run/io.js'
import type { Settings } from '../run/settings.js'
import { openLocalRunner } from '../run/unit/local-runner.js'
import type { OpenRunner } from '../run/unit/run-unit.js'

/** Runs the cases that `given` names or holds, and writes what was asked for. Throws UserError when it cannot start. */
export function runTests(
  given: ProgramOptions,
  io: Partial<RunIo> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<RunOutcome> {
  return runTestsWith(given, io, signal, openRunner)
}

/** The same with settings that have been read. */
export function runSettings(settings: Settings, io: Partial<RunIo>, signal: AbortSignal): Promise<RunOutcome> {
  return runSettingsWith(settings, io, signal, openRunner)
}

const openUnwatched: OpenRunner = async (prepared) => {
  if (prepared.options.queue === undefined) return openLocalRunner(prepared)
  const { openFleet } = await import('../fleet/coordinator/fleet.js')
  return openFleet(prepared)
}

const openRunner: OpenRunner = async (prepared) => {
  const { watchingForVacuous } = await import('../suite/trivial/watch.js')
  return watchingForVacuous(await openUnwatched(prepared), prepared)
}

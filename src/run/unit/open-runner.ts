// Who runs the units of a run: this process or, with `--queue`, a fleet, which is loaded on demand.
import type { Prepared } from '../prepare.js'
import { createRunUnit, type Runner } from './run-unit.js'

/** Throws a UserError if neither can. */
export async function openRunner(prepared: Prepared): Promise<Runner> {
  if (prepared.options.queue !== undefined) {
    const { openFleet } = await import('../../fleet/coordinator/fleet.js')
    return openFleet(prepared)
  }
  return {
    begin: async (init) => ({
      parallel: prepared.options.parallel,
      run: createRunUnit(init),
      end: init.stopper.end,
      finish: async () => [],
    }),
    close: async () => {},
  }
}

// Units run by this process.
import type { Prepared } from '../prepare.js'
import { createRunUnit, type Runner } from './run-unit.js'

export function openLocalRunner(prepared: Prepared): Runner {
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

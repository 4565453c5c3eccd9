// What the cases of an input ask and check, without running them: to see whether those of another revision are the same.
import type { Fingerprint } from '../model/fingerprint.js'
import { caseKey, type CaseKey } from '../model/run-key.js'
import { isSelected } from '../pipeline/plan/filter.js'
import { detectInputs } from '../pipeline/sources/detect.js'
import { openSource } from '../pipeline/sources/open-source.js'
import { fingerprintsFor } from './fingerprints.js'
import type { Settings } from './settings.js'

export interface PrintedCase extends Fingerprint {
  id: string
}

/** What they refer to is not looked up. Throws a UserError if they cannot be read. */
export async function readCasePrints(settings: Settings): Promise<Map<CaseKey, PrintedCase>> {
  const { options, selection, cwd } = settings
  const fingerprintOf = fingerprintsFor(settings, {})
  const source = await openSource(detectInputs(options.input ?? [], { cwd }), { cwd, otherInput: true, fingerprintOf })
  const prints = new Map<CaseKey, PrintedCase>()
  try {
    for await (const batch of source.cases())
      for (const loaded of batch) {
        const { testCase } = loaded
        if (!isSelected(loaded, selection)) continue
        const print = loaded.print ?? (await fingerprintOf(testCase, source.dir))
        prints.set(caseKey(testCase), { id: testCase.id, ...print })
      }
    return prints
  } finally {
    await source.close()
  }
}

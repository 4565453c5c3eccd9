// The fingerprints of the cases of a source, taken while they are checked, so that none is read again for them.
import { normalizeCase } from '../../model/case-normalize.js'
import type { FingerprintOf, PlanDigest } from '../../model/fingerprint.js'
import { isRecord } from '../../base/record.js'
import type { RawValue } from './raw-value.js'

export async function fingerprintAll(
  values: readonly RawValue[],
  fingerprintOf: FingerprintOf,
  { dir, digest }: { dir: string; digest: PlanDigest },
): Promise<void> {
  for (const raw of values) {
    if (!isRecord(raw.value)) continue
    const testCase = normalizeCase(raw.value)
    const found = fingerprintOf(testCase, dir)
    raw.print = found instanceof Promise ? await found : found
    digest.add(testCase, raw.print)
  }
}

// Cases that are in no case file (a generator, a program or the command line produced them): checked like any other, kept in memory.
import { createHash } from 'node:crypto'
import { normalizeCase } from '../../model/case-normalize.js'
import { PlanDigest } from '../../model/fingerprint.js'
import type { CaseSource, LoadedCase } from '../../model/source.js'
import { isRecord } from '../../base/record.js'
import { ValueChecker, type CheckOptions } from './check-values.js'
import { fingerprintAll } from './fingerprint-all.js'
import type { RawValue } from './raw-value.js'

export interface ValuesOptions extends CheckOptions {
  kind: 'generator' | 'cases' | 'file' | 'message'
  label: string
  /** Absolute path of the file that produced them. */
  file?: string
  dir: string
}

/** Throws a UserError that names every mistake by the number of its case. */
export async function casesFromValues(values: unknown[], options: ValuesOptions): Promise<CaseSource> {
  const { kind, label, file, dir, ...check } = options
  const checker = new ValueChecker(label, { ...check, numbered: true })
  const raw = values.map(rawValue)
  await checker.checkAll(raw)
  checker.finish()
  const digest = check.fingerprintOf && new PlanDigest()
  if (digest && check.fingerprintOf) await fingerprintAll(raw, check.fingerprintOf, { dir, digest })
  const cases = raw.flatMap(({ value, checks, print }): LoadedCase[] =>
    isRecord(value) ? [{ testCase: normalizeCase(value), checks, print }] : [],
  )
  return {
    kind,
    label,
    ...(file !== undefined && { file }),
    dir,
    total: cases.length,
    ...(digest && { digest }),
    ...(kind !== 'generator' && { hash: hashOf(raw) }),
    warnings: checker.warnings,
    multi_turn: checker.multiTurn,
    async *cases() {
      yield cases
    },
    close: async () => {},
  }
}

/** A generator produces different cases every time. */
function hashOf(values: RawValue[]): string {
  const hash = createHash('sha256')
  for (const { text } of values) hash.update(text).update('\n')
  return hash.digest('hex')
}

function rawValue(value: unknown, index: number): RawValue {
  return { value, line: index + 1, column: 1, text: asJson(value) }
}

/** The text stands in for the file: nesting and odd numbers are found in it. */
function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '['.repeat(1000) // too deep to be written, or a cycle
  }
}

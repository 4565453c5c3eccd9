// Cases that are in no file (a generator made them): checked like any other, kept in memory.
import { normalizeCase } from '../../model/case-normalize.js'
import type { CaseSource, LoadedCase } from '../../model/source.js'
import { isRecord } from '../../base/record.js'
import { ValueChecker, type CheckOptions } from './check-values.js'
import type { RawValue } from './raw-value.js'

export interface ValuesOptions extends CheckOptions {
  label: string
  dir: string
}

/** Throws a UserError that names every mistake by the number of its case. */
export async function casesFromValues(values: unknown[], options: ValuesOptions): Promise<CaseSource> {
  const { label, dir, ...check } = options
  const checker = new ValueChecker(label, { ...check, numbered: true })
  const raw = values.map(rawValue)
  await checker.checkAll(raw)
  checker.finish()
  const cases = raw.flatMap(({ value, checks }): LoadedCase[] =>
    isRecord(value) ? [{ testCase: normalizeCase(value), checks }] : [],
  )
  return {
    kind: 'generator',
    label,
    dir,
    total: cases.length,
    warnings: checker.warnings,
    multi_turn: checker.multiTurn,
    async *cases() {
      yield cases
    },
    close: async () => {},
  }
}

function rawValue(value: unknown, index: number): RawValue {
  return { value, line: index + 1, column: 1, text: asJson(value) }
}

/** The text stands in for the file: nesting and odd numbers are found in it. */
function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '['.repeat(1000) // too deep to be written, or a circle
  }
}

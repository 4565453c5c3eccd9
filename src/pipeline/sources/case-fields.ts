// What a case as written refers to, with the name of the field it stands in: assertions and connectors.
import type { AssertionSpec } from '../../model/assertion.js'
import { normalizeAssertion } from '../../model/case-normalize.js'
import { isRecord } from '../../base/record.js'

const NONE: never[] = []

export interface AssertionField {
  spec: AssertionSpec
  field: string
}

/** Passes over what is no assertion at all: the schema has reported that. */
export function assertionFields(raw: Record<string, unknown>): AssertionField[] {
  const found: AssertionField[] = []
  addAll(found, raw['assert'], 'assert')
  addAll(found, raw['assertions'], 'assertions')
  addAll(found, raw['final_assertions'], 'final_assertions')
  for (const [index, turn] of items(raw['turns'])) {
    addAll(found, turn['assert'], `turns[${index}].assert`)
    addAll(found, turn['assertions'], `turns[${index}].assertions`)
  }
  for (const [index, checkpoint] of items(raw['checkpoints'])) {
    addAll(found, checkpoint['assertion'], `checkpoints[${index}].assertion`)
    addAll(found, checkpoint['assert'], `checkpoints[${index}].assert`)
  }
  return found
}

/** Every connector a case names. */
export function connectorFields(raw: unknown): Array<{ id: string; field: string }> {
  if (!isRecord(raw)) return []
  const simulator = isRecord(raw['simulator']) ? raw['simulator'] : {}
  const places: Array<[unknown, string]> = [
    [raw['options'], 'options'],
    [simulator['options'], 'simulator.options'],
    ...items(raw['turns']).map(([index, turn]): [unknown, string] => [turn['options'], `turns[${index}].options`]),
  ]
  return places.flatMap(([options, field]) => {
    const id = isRecord(options) ? options['connector'] : undefined
    return typeof id === 'string' ? [{ id, field: `${field}.connector` }] : []
  })
}

function addAll(found: AssertionField[], written: unknown, field: string): void {
  if (!Array.isArray(written)) addOne(found, written, field)
  else for (let index = 0; index < written.length; index++) addOne(found, written[index], `${field}[${index}]`)
}

function addOne(found: AssertionField[], written: unknown, field: string): void {
  if (typeof written === 'string' || isRecord(written)) found.push({ spec: normalizeAssertion(written), field })
}

function items(value: unknown): Array<[number, Record<string, unknown>]> {
  if (!Array.isArray(value)) return NONE
  return [...value.entries()].filter((entry): entry is [number, Record<string, unknown>] => isRecord(entry[1]))
}

// What a case as written refers to, with the name of the field it is in: assertions, connectors, helpers.
import type { AssertionSpec } from '../../model/assertion.js'
import { expectedAssertion } from '../../model/expected-assertion.js'
import { expectedTool, normalizeAssertion } from '../../model/case-normalize.js'
import { SHIPPED_PREFIX } from '../../model/shipped-check.js'
import { stubScript } from '../../model/stub-script.js'
import { isRecord } from '../../base/record.js'
import type { Reference } from './references.js'
import { isGiven } from '../../model/case-rules.js'

const NONE: never[] = []

export interface AssertionField {
  spec: AssertionSpec
  field: string
}

/** Skips what is not an assertion at all: the schema has reported that. */
export function assertionFields(raw: Record<string, unknown>): AssertionField[] {
  const found: AssertionField[] = []
  const { expect_tool: tool } = raw
  if (tool === null || typeof tool === 'string' || isRecord(tool))
    found.push({ spec: expectedTool(tool), field: 'expect_tool' })
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
  if (raw['expected'] !== undefined && tool === undefined && !isGiven(raw['assert']) && !isGiven(raw['assertions']))
    found.push({ spec: expectedAssertion(raw['expected']), field: 'expected' })
  return found
}

/** Every connector a case names. */
export function connectorFields(raw: unknown): Reference[] {
  if (!isRecord(raw)) return NONE
  // Most cases name none, and every case passes through here.
  if (raw['options'] === undefined && raw['simulator'] === undefined && raw['turns'] === undefined) return NONE
  const simulator = isRecord(raw['simulator']) ? raw['simulator'] : {}
  const positions: Array<[unknown, string]> = [
    [raw['options'], 'options'],
    [simulator['options'], 'simulator.options'],
    ...items(raw['turns']).map(([index, turn]): [unknown, string] => [turn['options'], `turns[${index}].options`]),
  ]
  return positions.flatMap(([options, field]) => {
    const id = isRecord(options) ? options['connector'] : undefined
    return typeof id === 'string' ? [{ name: id, field: `${field}.connector` }] : []
  })
}

/** Every simulator, judge and script a case names. A case that is skipped needs none of them. */
export function helperFields(raw: unknown): Reference[] {
  if (!isRecord(raw) || raw['skip'] === true) return NONE
  const { simulator } = raw
  return [
    ...named(isRecord(simulator) ? simulator['use'] : undefined, 'simulator.use'),
    ...assertionFields(raw).flatMap(({ spec, field }) => helpersOf(spec, field)),
  ]
}

/** Of an assertion and, if it is a group, of its members. */
export function helpersOf(spec: AssertionSpec, field: string): Reference[] {
  if (Array.isArray(spec.assertions)) {
    const members: AssertionField[] = []
    addAll(members, spec.assertions, `${field}.assertions`)
    return members.flatMap((member) => helpersOf(member.spec, member.field))
  }
  if (spec['use'] === undefined && spec['script'] === undefined) return NONE
  // A check that ships is looked up when its assertion is compiled.
  if (spec.type === 'script' && String(spec['use'] ?? spec['script']).startsWith(SHIPPED_PREFIX)) return NONE
  return [...named(spec['use'], `${field}.use`), ...named(spec['script'], `${field}.script`)]
}

function named(name: unknown, field: string): Reference[] {
  return typeof name === 'string' && name !== '' ? [{ name, field }] : NONE
}

/** Every hook a case names, and every script that replaces a tool. */
export function hookFields(raw: unknown): Reference[] {
  if (!isRecord(raw) || raw['skip'] === true) return NONE
  if (raw['before'] === undefined && raw['after'] === undefined && raw['testing'] === undefined) return NONE
  const state = isRecord(raw['testing']) ? raw['testing']['state'] : undefined
  return [
    ...named(raw['before'], 'before'),
    ...named(raw['after'], 'after'),
    ...named(state, 'testing.state'),
    ...stubScripts(raw['testing']),
  ]
}

/** The file of tools that a case names. */
export function toolFields(raw: unknown): Reference[] {
  if (!isRecord(raw) || raw['skip'] === true || !isRecord(raw['testing'])) return NONE
  return named(raw['testing']['tools'], 'testing.tools')
}

/** Every tool that a case calls itself. */
export function callFields(raw: unknown): Reference[] {
  if (!isRecord(raw) || (raw['call'] === undefined && raw['turns'] === undefined)) return NONE
  const places: Array<[unknown, string]> = [
    [raw['call'], 'call.tool'],
    ...items(raw['turns']).map(([index, turn]): [unknown, string] => [turn['call'], `turns[${index}].call.tool`]),
  ]
  return places.flatMap(([call, field]) => (isRecord(call) ? named(call['tool'], field) : NONE))
}

/** The tool that a case expects, unless it has tools of its own. */
export function expectedFields(raw: unknown): Reference[] {
  if (!isRecord(raw) || raw['skip'] === true || raw['tools'] !== undefined) return NONE
  const { expect_tool: tool } = raw
  return isRecord(tool) ? named(tool['name'], 'expect_tool.name') : named(tool, 'expect_tool')
}

function stubScripts(testing: unknown): Reference[] {
  const tools = isRecord(testing) ? testing['tools'] : undefined
  if (!isRecord(tools)) return NONE
  return Object.entries(tools).flatMap(([tool, value]) => named(stubScript(value), `testing.tools.${tool}`))
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

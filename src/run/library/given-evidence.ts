// What a program says it knows of an answer. What is not given is not known: an assertion that reads it is an error, never a pass.
import * as v from 'valibot'
import { lostInJson } from '../../base/json/lost-in-json.js'
import { isAmount, isRecord } from '../../base/record.js'
import { suggest } from '../../base/suggest.js'
import { show } from '../../base/text.js'
import { UserError } from '../../errors.js'
import type { WrittenCase } from '../../model/case-schema.js'
import type { ToolCall, Usage } from '../../model/message.js'
import { toolCall, usage } from '../../model/result-schema.js'
import { parseSpec } from '../../pipeline/assert/compile.js'
import { assertionsByType } from '../../pipeline/assert/registry.js'

export interface GivenEvidence {
  output: unknown
  /** What was asked; a judge is told. */
  input?: WrittenCase['input']
  expected?: unknown
  metadata?: Record<string, unknown>
  /** `[]` says that no tool was called. */
  tool_calls?: ToolCall[]
  finish_reason?: string
  awaiting_input?: boolean
  duration_ms?: number
  usage?: Usage
  cost_dollars?: number
  exit_code?: number
  stdout?: string
  stderr?: string
}

type Field = keyof GivenEvidence

const FIELDS: readonly string[] = [
  'output',
  'input',
  'expected',
  'metadata',
  'tool_calls',
  'finish_reason',
  'awaiting_input',
  'duration_ms',
  'usage',
  'cost_dollars',
  'exit_code',
  'stdout',
  'stderr',
] satisfies Field[]

export function requireEvidence(evidence: unknown): asserts evidence is GivenEvidence {
  if (!isRecord(evidence) || !Object.hasOwn(evidence, 'output'))
    throw bad(
      'there is no output to look at',
      'evaluate({ output: "the answer" }, [{ type: "contains", value: "the" }])',
    )
  for (const key of Object.keys(evidence)) {
    if (FIELDS.includes(key)) continue
    const close = suggest(key, FIELDS)
    throw bad(`unknown field "${key}"`, close === undefined ? `known: ${FIELDS.join(', ')}` : `did you mean ${close}?`)
  }
  const lost = lostInJson(evidence)
  if (lost)
    throw bad(`${lost.path.slice(1)} is ${lost.what}`, 'evidence is plain data: strings, numbers, lists, objects')
  requireShape(evidence)
}

/** What each field must be; a call that cannot be read looks as if it had never been made. */
function requireShape(evidence: Record<string, unknown>): void {
  for (const [field, { is, what }] of Object.entries(SHAPES))
    if (evidence[field] !== undefined && !is(evidence[field]))
      throw bad(`${field} must be ${what}, found ${show(evidence[field], 80)}`, `give ${what}, or leave it out`)
}

const amount = { is: isAmount, what: 'a number of at least 0' }
const text = { is: (value: unknown) => typeof value === 'string', what: 'a text' }

const SHAPES: Partial<Record<Field, { is: (value: unknown) => boolean; what: string }>> = {
  tool_calls: { is: isCalls, what: 'a list of calls such as { name: "book", args: { city: "Rome" } }' },
  duration_ms: amount,
  cost_dollars: amount,
  usage: { is: (value) => v.is(usage, value), what: '{ input_tokens, output_tokens, total_tokens }' },
  awaiting_input: { is: (value) => typeof value === 'boolean', what: 'true or false' },
  exit_code: { is: Number.isInteger, what: 'a whole number' },
  finish_reason: text,
  stdout: text,
  stderr: text,
}

function isCalls(value: unknown): boolean {
  return Array.isArray(value) && value.every((call) => v.is(toolCall, call))
}

/** In a run it is known whether tools were called and how long it took; here only if it was given. */
export function requireKnown(given: unknown, isKnown: (field: Field) => boolean): void {
  const spec = parseSpec(given)
  const { type } = spec
  const on = assertionsByType.get(type)?.on
  const needed = READS[type] ?? (on === 'actions' ? 'tool_calls' : undefined)
  if (needed !== undefined && !isKnown(needed)) throw bad(`${type} reads ${needed}, which is not given`, hintOf(needed))
  const members = spec['assertions']
  if (on === 'group' && Array.isArray(members)) for (const member of members) requireKnown(member, isKnown)
}

const READS: Partial<Record<string, Field>> = {
  latency: 'duration_ms',
  duration: 'duration_ms',
  awaiting_input: 'awaiting_input',
}

function hintOf(field: Field): string {
  return field === 'tool_calls'
    ? 'give the whole reply and not its text alone; tool_calls: [] says that no tool was called'
    : `give ${field}`
}

function bad(message: string, hint: string): UserError {
  return new UserError({ code: 'BAD_EVIDENCE', message: `evidence: ${message}`, hint })
}

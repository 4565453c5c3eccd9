// What a program says it knows about an answer. What is not given is unknown: an assertion that reads it is an error, never a pass.
import { isRecord } from '../base/record.js'
import type { WrittenCase } from '../model/case-schema.js'
import type { ToolCall, Usage } from '../model/message.js'
import { parseSpec } from '../pipeline/assert/compile.js'
import { assertionsByType } from '../pipeline/assert/registry.js'
import { asData, badEvidence, EVIDENCE_FIELDS, requireFields, type EvidenceField } from '../run/evidence-fields.js'

export interface GivenEvidence {
  output: unknown
  /** What was asked; a judge gets to see it. */
  input?: WrittenCase['input']
  expected?: unknown
  metadata?: Record<string, unknown>
  /** `[]` says that no tool was called. */
  tool_calls?: ToolCall[]
  finish_reason?: string
  /** Whether the agent refused. */
  refusal?: boolean
  awaiting_input?: boolean
  duration_ms?: number
  usage?: Usage
  cost_dollars?: number
  exit_code?: number
  stdout?: string
  stderr?: string
}

type Field = keyof GivenEvidence

const FIELDS: Record<Field, EvidenceField> = EVIDENCE_FIELDS

export function requireEvidence(evidence: unknown): asserts evidence is GivenEvidence {
  if (!isRecord(evidence) || !Object.hasOwn(evidence, 'output'))
    throw badEvidence(
      'there is no output to check',
      'evaluate({ output: "the answer" }, [{ type: "contains", value: "the" }])',
    )
  asData(evidence)
  requireFields(evidence, FIELDS)
}

/** In a run it is known whether tools were called and how long it took; here only if it was given. */
export function requireKnown(given: unknown, isKnown: (field: Field) => boolean): void {
  const spec = parseSpec(given)
  const { type } = spec
  const on = assertionsByType.get(type)?.on
  const needed = READS[type] ?? (on === 'actions' ? 'tool_calls' : undefined)
  if (needed !== undefined && !isKnown(needed))
    throw badEvidence(`${type} reads ${needed}, which is not given`, hintOf(needed))
  const members = spec['assertions']
  if (on === 'group' && Array.isArray(members)) for (const member of members) requireKnown(member, isKnown)
}

const READS: Partial<Record<string, Field>> = {
  latency: 'duration_ms',
  duration: 'duration_ms',
  awaiting_input: 'awaiting_input',
  refusal: 'refusal',
}

function hintOf(field: Field): string {
  return field === 'tool_calls'
    ? 'give the whole reply, not just its text; tool_calls: [] says that no tool was called'
    : `give ${field}`
}

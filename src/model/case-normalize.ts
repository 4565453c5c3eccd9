// From a case as written to the one form that every stage sees. Assumes that the case has been checked.
import type { AgentOptions } from './agent.js'
import type { AssertionSpec } from './assertion.js'
import type { CaseInput, Checkpoint, RetryPolicy, SimulatorSpec, TestCase, Turn } from './case.js'
import type { Message } from './message.js'
import type { ToolSpec } from './tool-spec.js'
import { defined } from '../base/defined.js'
import { callMessage, type WrittenCall } from './tool-call-part.js'
import { isPresent } from '../base/record.js'

type Written = Record<string, unknown>

const DEFAULT_RETRY: RetryPolicy = { max_attempts: 3, backoff_ms: 1000 }

/** Cheap and pure. Reads known fields only: a `__proto__` key in the file never gets anywhere. */
export function normalizeCase(raw: Written, line?: number): TestCase {
  const result: Written = { id: raw['id'], assertions: [] }
  for (const key of Object.keys(raw)) takeField(result, key, raw[key])
  const simulator = result['simulator'] as SimulatorSpec | undefined
  const maxTurns = raw['max_turns'] ?? simulator?.options?.metadata?.['max_turns']
  if (typeof maxTurns === 'number' && maxTurns > 0) result['max_turns'] = maxTurns
  if (raw['expect_tool'] !== undefined) {
    result['assertions'] = [expectedTool(raw['expect_tool']), ...(result['assertions'] as AssertionSpec[])]
    // That doing nothing passes is what such a case is for.
    if (raw['expect_tool'] === null) result['vacuous'] ??= 'no tool should be called'
  }
  if (typeof raw['should_trigger'] === 'boolean') addTrigger(result, raw['should_trigger'])
  if (line !== undefined) result['line'] = line
  return result as unknown as TestCase
}

/** With several turns the whole conversation counts. */
function addTrigger(result: Written, shouldTrigger: boolean): void {
  const key = result['turns'] === undefined && result['simulator'] === undefined ? 'assertions' : 'final_assertions'
  const check: AssertionSpec = { type: 'skill_invoked', ...(!shouldTrigger && { negate: true }) }
  result[key] = [...((result[key] as AssertionSpec[] | undefined) ?? []), check]
  // That doing nothing passes is what such a case is for.
  if (!shouldTrigger) result['vacuous'] ??= 'the skill should not be used'
}

function takeField(result: Written, key: string, value: unknown): void {
  switch (key) {
    case 'assert':
    case 'assertions':
      result['assertions'] = normalizeAssertions(value)
      return
    case 'input':
    case 'messages':
      if (isPresent(value)) result[key] = normalizeInput(value)
      return
    case 'call':
      if (isPresent(value)) result['input'] = callMessage(value as WrittenCall)
      return
    case 'name':
    case 'expected':
    case 'user':
    case 'team':
    case 'metadata':
    case 'options':
    case 'skip':
    case 'skip_reason':
    case 'timeout':
    case 'turn_timeout':
    case 'tags':
    case 'before':
    case 'after':
    case 'attachments':
    case 'interactive':
    case 'on_missing_input':
    case 'min_score':
    case 'should_trigger':
    case 'vacuous':
    case 'mutations':
    case 'recording':
    case 'testing':
    case 'workspace':
      result[key] = value
      return
    case 'type':
      if (typeof value === 'string') result[key] = value
      return
    case 'final_assertions':
      result[key] = normalizeAssertions(value)
      return
    case 'turns':
      result[key] = (value as Written[]).map(normalizeTurn)
      return
    case 'checkpoints':
      result[key] = (value as Written[]).map(normalizeCheckpoint)
      return
    case 'retry':
      result[key] = { ...DEFAULT_RETRY, ...(value as Partial<RetryPolicy>) }
      return
    case 'tools':
      result[key] = (value as Written[]).map(normalizeTool)
      return
    case 'simulator':
      result[key] = normalizeSimulator(value as Written)
  }
}

/** `expect_tool` of a case as the assertion that it stands for. */
export function expectedTool(written: unknown): AssertionSpec {
  if (written === null || typeof written === 'string') return { type: 'expect_tool', name: written }
  return { ...(written as Written), type: 'expect_tool' }
}

export function normalizeTool({ name, description, inputSchema, input_schema, parameters }: Written): ToolSpec {
  const schema = (inputSchema ?? input_schema ?? parameters ?? {}) as Written
  return {
    name: name as string,
    ...defined({ description: description as string | undefined }),
    input_schema: { type: 'object', ...schema },
  }
}

/** A bare string is a type, one assertion is a list of one, and no type means `equals`. */
function normalizeAssertions(written: unknown): AssertionSpec[] {
  if (!isPresent(written)) return []
  return Array.isArray(written) ? written.map(normalizeAssertion) : [normalizeAssertion(written)]
}

export function normalizeAssertion(written: unknown): AssertionSpec {
  if (typeof written === 'string') return { type: written }
  const spec = written as AssertionSpec
  return spec.type === undefined ? { ...spec, type: 'equals' } : spec
}

function normalizeInput(written: unknown): CaseInput {
  if (typeof written === 'string') return written
  return Array.isArray(written) ? written.map(withRole) : withRole(written)
}

function withRole(written: unknown): Message {
  const message = written as Message
  return message.role === undefined ? { ...message, role: 'user' } : message
}

function normalizeTurn(written: Written): Turn {
  const turn: Turn = { assertions: normalizeAssertions(written['assert'] ?? written['assertions']) }
  if (isPresent(written['input'])) turn.input = normalizeInput(written['input'])
  if (isPresent(written['call'])) turn.input = callMessage(written['call'] as WrittenCall)
  if (written['options'] !== undefined) turn.options = written['options'] as AgentOptions
  if (written['attachments'] !== undefined)
    turn.attachments = written['attachments'] as NonNullable<Turn['attachments']>
  return turn
}

function normalizeCheckpoint(written: Written): Checkpoint {
  const checkpoint: Checkpoint = {
    id: written['id'] as string,
    assertion: normalizeAssertion(written['assertion'] ?? written['assert']),
    after: (written['after'] as string[] | undefined) ?? [],
    required: written['required'] !== false,
  }
  if (written['description'] !== undefined) checkpoint.description = written['description'] as string
  return checkpoint
}

/** `metadata` is short for `options.metadata`; if both are given, `options` wins field by field. */
function normalizeSimulator(written: Written): SimulatorSpec {
  const simulator: SimulatorSpec = {}
  if (written['use'] !== undefined) simulator.use = written['use'] as string
  const options = written['options'] as AgentOptions | undefined
  const short = written['metadata'] as Record<string, unknown> | undefined
  if (short) simulator.options = { ...options, metadata: { ...short, ...options?.metadata } }
  else if (options) simulator.options = options
  return simulator
}

// An attempt at a case with tools of its own, and with its state read before and after.
import { lostInJson } from '../../base/json/lost-in-json.js'
import { messageOf } from '../../base/message-of.js'
import type { Agent, AgentContext } from '../../model/agent.js'
import type { TestCase } from '../../model/case.js'
import type { CaseTools, OpenCaseTools, OpenTools } from '../../model/given-tools.js'
import type { ToolCall } from '../../model/message.js'
import type { ModelCall } from '../../model/model-call.js'
import type { CaseState, ConversationResult } from './conversation/contract.js'
import { endedBy } from './conversation/failure.js'
import type { Deadline } from './deadline.js'
import type { CallHook } from './hooks.js'

export interface WithTools {
  file: Pick<OpenTools, 'file' | 'dir'> | undefined
  testCase: TestCase
  context: AgentContext
  call: ModelCall
  agent: Agent
  openTools: OpenCaseTools
  callHook: CallHook
  /** The function that reads the state. */
  hook: string | undefined
  deadline: Deadline
  onLog(line: string): void
}

/** Tools that cannot be opened, or cannot be given, are a mistake of the case and not a verdict on the agent. */
export async function withTools(
  given: WithTools,
  converse: (tools: CaseTools | undefined, state: CaseState | undefined) => Promise<ConversationResult>,
): Promise<ConversationResult> {
  const { file, agent } = given
  // The answers of an old run were given with the tools of that run.
  if (file === undefined || agent.recorded !== undefined) return converse(undefined, stateFrom(given, undefined))
  if (agent.givenTools === undefined) return mistake(cannotTake(agent))
  let tools: CaseTools
  try {
    tools = await open(given, file, agent.givenTools === 'served')
  } catch (error) {
    const ended = endedBy(error, given.deadline.signal)
    return ended ? { status: 'failed', ...ended } : mistake(`testing.tools: ${messageOf(error)}`, error)
  }
  try {
    const result = await converse(tools, stateFrom(given, tools))
    if (result.status === 'passed') refuseLateCalls(result, await tools.taken())
    return result
  } finally {
    tools.close()
  }
}

/** What it did after its last answer, nobody has judged. */
function refuseLateCalls(result: ConversationResult, [late]: readonly ToolCall[]): void {
  if (!late) return
  const error = `agent error: it called ${late.name} after it had answered: what it did then was not judged`
  Object.assign(result, { status: 'failed', error, error_kind: 'agent' })
}

function open(
  { testCase, call, openTools, deadline, onLog }: WithTools,
  file: Pick<OpenTools, 'file' | 'dir'>,
  served: boolean,
): Promise<CaseTools> {
  const { run = 1, attempt = 1 } = call
  const context = { case_id: testCase.id, run, attempt, metadata: testCase.metadata ?? {} }
  return openTools({ ...file, context, served, signal: deadline.signal, onLog })
}

function stateFrom(given: WithTools, tools: CaseTools | undefined): CaseState | undefined {
  const { hook, agent } = given
  if (agent.recorded !== undefined) return undefined
  if (hook !== undefined) return { source: 'hook', read: (when) => callState(given, hook, when) }
  if (!tools?.hasStore) return undefined
  return { source: 'store', read: () => tools.state() }
}

/** Of the state as JSON: all of it is compared, and hashed. */
const MOST_BYTES = 16 * 1024 * 1024

async function callState(given: WithTools, hook: string, when: 'before' | 'after'): Promise<unknown> {
  const { context, testCase, callHook, deadline, onLog, call } = given
  const failed = (why: string, cause?: unknown): Error => new Error(`testing.state: ${hook} ${why}`, { cause })
  let state: unknown
  try {
    state = await callHook(hook, [context, testCase, { when }], deadline.signal, onLog, call)
  } catch (error) {
    if (deadline.signal.aborted) throw error
    throw failed(`failed: ${messageOf(error)}`, error)
  }
  if (state === undefined || state === null) throw failed('returned nothing')
  const lost = lostInJson(state)
  if (lost) throw failed(`returned something that is not JSON: ${lost.path.replace(/^\./, '') || 'it'} is ${lost.what}`)
  const json = JSON.stringify(state)
  const bytes = Buffer.byteLength(json)
  if (bytes > MOST_BYTES) throw failed(`returned ${bytes} bytes as JSON; at most ${MOST_BYTES} can be compared`)
  return JSON.parse(json) as unknown
}

function cannotTake({ id }: Agent): string {
  return `testing.tools: ${id} cannot be given tools: it is neither a package, a model, a module, a program nor a JSON endpoint`
}

function mistake(error: string, cause?: unknown): ConversationResult {
  return { status: 'failed', error, error_kind: 'input', cause }
}

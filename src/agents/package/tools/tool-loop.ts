// Model ↔ tools until the model answers: each round's results go back to it, at most `maxTurn` rounds.
import { AgentError } from '../../../errors.js'
import type { TraceStep } from '../../../model/agent.js'
import type { Completion, CompletionRequest, Connector, Reasoning } from '../../../model/connector.js'
import type { Message, ToolCall } from '../../../model/message.js'
import { defined } from '../../../base/defined.js'
import { show } from '../../../base/text.js'
import { missingCalls } from '../../reply/bad-ending.js'
import { asOffered } from './offered.js'
import type { Toolbox } from './toolbox.js'
import { toolText } from '../../../mcp-client/tool-result.js'
import { monotonicNow } from '../../../time/clock.js'

export interface LoopRequest {
  connector: Connector
  request: CompletionRequest
  toolbox: Toolbox
  /** The tools are only offered: the calls are the answer. */
  isOffer?: boolean
  /** False: the tools run once and their results are the end. */
  loop: boolean
  maxTurn: number
  /** The preset of the prompts, for the record. */
  preset?: string
}

/** What has been gathered so far; filled while the loop runs, so that a failure keeps it. */
export interface LoopRecord {
  completions: Completion[]
  tool_calls: ToolCall[]
  /** Assistant and tool messages, as added to the conversation. */
  added: Message[]
  /** Of all the messages that the model gets, the earlier ones too. */
  reasoning: Reasoning[]
  trace: TraceStep[]
}

/** `reasoning`: of earlier turns. */
export function createLoopRecord(reasoning: Reasoning[] = []): LoopRecord {
  return { completions: [], tool_calls: [], added: [], reasoning: [...reasoning], trace: [] }
}

export async function runToolLoop(loop: LoopRequest, record: LoopRecord): Promise<void> {
  for (let round = 0; ; round++) {
    const completion = await callModel(loop, record)
    // Tools that the model's own servers ran: nobody waits for their results.
    record.tool_calls.push(...completion.tool_calls.filter(isDone))
    const calls = completion.tool_calls
      .filter((call) => !isDone(call))
      .map((call, index) => ({ ...call, id: call.id ?? `call_${round + 1}_${index + 1}` }))
    record.added.push(assistantMessage(completion, calls))
    if (completion.reasoning) record.reasoning.push(reasoningOf(loop.connector, completion, calls))
    const missing = missingCalls(completion.finish_reason, calls)
    if (missing !== undefined) throw noAnswer(missing, completion)
    if (calls.length === 0) return
    if (loop.isOffer) {
      record.tool_calls.push(...calls.map((call) => asOffered(loop.toolbox, call)))
      return
    }
    if (!canRun(loop.toolbox, calls)) {
      record.tool_calls.push(...calls)
      return
    }
    if (round >= loop.maxTurn && loop.loop) {
      record.tool_calls.push(...calls)
      throw tooManyRounds(loop.maxTurn, calls)
    }
    for (const done of await runTools(loop.toolbox, calls, record)) {
      record.tool_calls.push(done)
      record.added.push({ role: 'tool', name: done.name, tool_call_id: done.id ?? '', content: answerText(done) })
    }
    if (!loop.loop || awaitsUser(completion)) return
  }
}

function isDone({ result, error }: ToolCall): boolean {
  return result !== undefined || error !== undefined
}

/** For an agent without any tools of its own, calls are its answer: the caller carries them out. */
function canRun(toolbox: Toolbox, calls: ToolCall[]): boolean {
  return toolbox.specs.length > 0 || calls.some((call) => toolbox.knows(call.name))
}

async function callModel(
  { connector, request, toolbox, preset }: LoopRequest,
  record: LoopRecord,
): Promise<Completion> {
  const start = monotonicNow()
  const step: TraceStep = { kind: 'model', name: connector.id, start_ms: start }
  if (preset !== undefined) step.detail = { preset }
  record.trace.push(step)
  // Waiting for one of our limits is not the model's time.
  let waited = 0
  const onWait = (ms: number): void => {
    waited += ms
    request.onWait?.(ms)
  }
  try {
    const messages = record.added.length === 0 ? request.messages : [...request.messages, ...record.added]
    step.sent = messages
    if (toolbox.specs.length > 0) step.tools = toolbox.specs.map(({ name }) => name)
    const own = record.reasoning.filter((each) => each.connector === connector.id)
    const completion = await connector.complete({
      ...request,
      messages,
      onWait,
      ...(own.length > 0 && { reasoning: own }),
      ...(toolbox.specs.length > 0 && { tools: toolbox.specs }),
    })
    record.completions.push(completion)
    step.received = receivedFrom(completion)
    if (completion.usage) step.usage = completion.usage
    return completion
  } catch (error) {
    step.error = (error as Error).message
    throw error
  } finally {
    step.duration_ms = Math.max(0, monotonicNow() - start - waited)
  }
}

function receivedFrom({ content, tool_calls, finish_reason }: Completion): NonNullable<TraceStep['received']> {
  const calls = tool_calls.map(({ name }) => name)
  return { content, ...(calls.length > 0 && { calls }), ...defined({ finish_reason }) }
}

/** Concurrently, as models expect of calls they make in one answer; results keep the order of the calls. */
function runTools(toolbox: Toolbox, calls: ToolCall[], record: LoopRecord): Promise<ToolCall[]> {
  return Promise.all(
    calls.map(async (call) => {
      const { name, args, id = '', args_error } = call
      const step: TraceStep = { kind: 'tool', name, start_ms: monotonicNow(), detail: { args } }
      record.trace.push(step)
      const request = { name, arguments: args, call_id: id, ...defined({ arguments_error: args_error }) }
      const { duration_ms, ...outcome } = await toolbox.call(request)
      step.duration_ms = duration_ms
      if ('error' in outcome) step.error = outcome.error
      const missing = !toolbox.knows(name) && { no_such_tool: true as const }
      return { ...call, ...defined({ server: toolbox.serverOf(name) }), ...missing, ...outcome }
    }),
  )
}

function assistantMessage(completion: Completion, calls: ToolCall[]): Message {
  const asked = calls.map(({ id, name, args }) => ({ name, args, ...defined({ id }) }))
  return {
    role: 'assistant',
    content: completion.content === '' && calls.length > 0 ? null : completion.content,
    ...(asked.length > 0 && { tool_calls: asked }),
  }
}

function reasoningOf({ id }: Connector, { content, reasoning = [] }: Completion, calls: ToolCall[]): Reasoning {
  return { connector: id, content, calls: calls.map((call) => call.id ?? ''), items: reasoning }
}

function answerText(call: ToolCall): string {
  return call.error === undefined ? toolText(call.result) : `Error: ${call.error}`
}

/** The model declared that it waits for the user: its tools have run, and it is the user's turn. */
function awaitsUser(completion: Completion): boolean {
  return completion.awaiting_input === true
}

function noAnswer(why: string, { content }: Completion): AgentError {
  const message = `the model gave no answer: ${why}: ${show(content)}`
  return new AgentError({ code: 'bad_response', message, partial: { content }, retry: false })
}

function tooManyRounds(maxTurn: number, calls: ToolCall[]): AgentError {
  return new AgentError({
    code: 'failed',
    message: `the model still asks for tools (${calls.map((call) => call.name).join(', ')}) after ${maxTurn} rounds`,
    hint: 'mcp.options.max_turn in package.yao sets how many rounds are allowed',
  })
}

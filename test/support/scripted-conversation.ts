// A conversation with an in-process agent and scripted helpers: everything a test does not care about is filled in.
import type { Agent, AgentReply, AgentRequest } from '../../src/model/agent.js'
import { normalizeCase } from '../../src/model/case-normalize.js'
import type { TestCase } from '../../src/model/case.js'
import type { Message } from '../../src/model/message.js'
import { DEFAULT_OPTIONS, type RunOptions } from '../../src/config/options.js'
import { Clock, monotonicNow } from '../../src/time/clock.js'
import type { AssertServices } from '../../src/pipeline/assert/define-assertion.js'
import { expectedAssertion } from '../../src/model/expected-assertion.js'
import { compileAssertions } from '../../src/pipeline/assert/compile.js'
import type {
  AskHelper,
  CompiledCase,
  ConversationResult,
  ConversationRun,
  ConversationSetup,
} from '../../src/pipeline/execute/conversation/contract.js'
import { DEFAULT_AWAITING_TOOLS } from '../../src/pipeline/execute/conversation/awaiting-input.js'
import { Conversation } from '../../src/pipeline/execute/conversation/conversation.js'
import { converse } from '../../src/pipeline/execute/conversation/converse.js'
import { agentRequest } from './agent-request.js'

export type Reply = string | Partial<AgentReply> | Error | ((request: AgentRequest) => Reply | Promise<Reply>)

/** Answers with the replies in order; the last one forever. Keeps what it was sent. */
export class ScriptedAgent implements Agent {
  readonly id = 'scripted'
  readonly requests: AgentRequest[] = []
  private readonly replies: Reply[]

  constructor(replies: Reply[]) {
    this.replies = replies
  }

  async send(request: AgentRequest): Promise<AgentReply> {
    let reply: Reply | undefined = this.replies[Math.min(this.requests.length, this.replies.length - 1)]
    this.requests.push({ ...request, messages: structuredClone(request.messages) })
    while (typeof reply === 'function') reply = await reply(request)
    if (reply instanceof Error) throw reply
    return { content: null, tool_calls: [], ...(typeof reply === 'string' ? { content: reply } : reply) }
  }
}

/** The text of the first message an agent was sent, in its first request or in another. */
export function sentText(agent: ScriptedAgent, request = 0): string {
  const content = agent.requests[request]?.messages[0]?.content
  if (typeof content !== 'string') throw new Error('no text was sent')
  return content
}

/** A helper that answers with these, in order; keeps what it was asked. */
export function scriptedHelper(answers: unknown[]): AskHelper & { calls: Parameters<AskHelper>[0][] } {
  const calls: Parameters<AskHelper>[0][] = []
  const ask: AskHelper = async (call) => {
    const answer = answers[calls.length]
    calls.push({ ...call, data: structuredClone(call.data) })
    if (answer instanceof Error) throw answer
    if (answer === undefined) throw new Error('the scripted helper has no answer left')
    return answer
  }
  return Object.assign(ask, { calls })
}

export function caseOf(written: Record<string, unknown>): TestCase {
  return normalizeCase({ id: 'T001', ...written })
}

export interface Scripted {
  agent?: Agent
  replies?: Reply[]
  simulator?: unknown[]
  run?: Partial<ConversationRun>
  options?: Partial<RunOptions>
  over?: Partial<ConversationSetup>
}

export function setupOf(written: Record<string, unknown>, scripted: Scripted): ConversationSetup {
  const testCase = caseOf(written)
  const signal = scripted.over?.signal ?? new AbortController().signal
  const { context } = agentRequest('')
  const run: ConversationRun = {
    agent: scripted.agent ?? new ScriptedAgent(scripted.replies ?? ['ok']),
    options: { ...DEFAULT_OPTIONS, ...scripted.options },
    awaiting_tools: DEFAULT_AWAITING_TOOLS,
    clock: new Clock(),
    messagesOf,
    ...scripted.run,
  }
  return {
    run,
    testCase,
    compiled: compiledOf(testCase),
    context: { ...context, metadata: { ...testCase.metadata } },
    options: testCase.options ?? {},
    call: { lane: 'agent', role: run.agent.id, case_id: testCase.id, run: 1, attempt: 1 },
    services: noServices(signal),
    ask: scriptedHelper(scripted.simulator ?? []),
    started: monotonicNow(),
    waitedMs: 0,
    signal,
    ...scripted.over,
  }
}

function compiledOf(testCase: TestCase): CompiledCase {
  const bare = testCase.assertions.length === 0 && testCase.expected !== undefined
  return {
    assertions: compileAssertions(bare ? [expectedAssertion(testCase.expected)] : testCase.assertions),
    turns: (testCase.turns ?? []).map((turn) => compileAssertions(turn.assertions)),
    final: compileAssertions(testCase.final_assertions ?? []),
    checkpoints: compileAssertions((testCase.checkpoints ?? []).map((checkpoint) => checkpoint.assertion)),
  }
}

export async function run(written: Record<string, unknown>, scripted: Scripted): Promise<ConversationResult> {
  return converse(new Conversation(setupOf(written, scripted)))
}

export function noServices(signal: AbortSignal): AssertServices {
  return {
    judge: () => Promise.reject(new Error('no judge in this test')),
    script: () => Promise.reject(new Error('no script in this test')),
    search: () => Promise.reject(new Error('no search in this test')),
    signal,
  }
}

function messagesOf(input: string | Message | Message[], attachments?: Array<Record<string, unknown>>): Message[] {
  const messages =
    typeof input === 'string' ? [{ role: 'user', content: input }] : Array.isArray(input) ? input : [input]
  if (!attachments) return messages
  const last = messages.at(-1)
  const text = typeof last?.content === 'string' ? last.content : ''
  const parts = attachments.map((part) => ({ type: 'file', ...part }))
  return [...messages.slice(0, -1), { role: 'user', content: [{ type: 'text', text }, ...parts] }]
}

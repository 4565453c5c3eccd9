// A request to an agent with everything a test does not care about filled in.
import type { AgentContext, AgentRequest } from '../../src/model/agent.js'

export function agentRequest(text: string, over: Partial<AgentRequest> = {}): AgentRequest {
  return {
    messages: [{ role: 'user', content: text }],
    context: agentContext(),
    options: {},
    call: { lane: 'agent', role: 'a' },
    signal: new AbortController().signal,
    ...over,
  }
}

export function agentContext(over: Partial<AgentContext> = {}): AgentContext {
  return {
    chat_id: 'c1',
    assistant_id: 'a1',
    locale: 'en-us',
    referer: 'test',
    accept: 'standard',
    client: { type: 'test', ip: '127.0.0.1' },
    metadata: {},
    authorized: { user_id: 'u1', team_id: 't1' },
    ...over,
  }
}

/** The error a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a failure, got an answer')
}

// One case through all its attempts, with a clock that only moves when the agent works.
import { expect, test } from 'vitest'
import { agentRequest } from '../../../test/support/agent-request.js'
import { caseOf, noServices } from '../../../test/support/scripted-conversation.js'
import { AgentError } from '../../errors.js'
import type { Agent, AgentReply } from '../../model/agent.js'
import { DEFAULT_OPTIONS } from '../../config/options.js'
import { Clock } from '../../time/clock.js'
import { DEFAULT_AWAITING_TOOLS } from './conversation/awaiting-input.js'
import { Deadlines } from './deadline.js'
import { runCase, type CaseDeps } from './run-case.js'

class HandClock extends Clock {
  ms = 0

  override now(): number {
    return this.ms
  }
}

const OK: AgentReply = { content: 'ok', tool_calls: [] }

function deps(agent: Partial<Agent>, clock: Clock): CaseDeps {
  return {
    run_id: 'r',
    agent: { id: 'a', send: () => Promise.resolve(OK), ...agent },
    options: DEFAULT_OPTIONS,
    awaiting_tools: DEFAULT_AWAITING_TOOLS,
    clock,
    messagesOf: (input) => [{ role: 'user', content: input as string }],
    chatIdFor: (own) => own,
    contextFor: () => agentRequest('').context,
    optionsFor: () => ({}),
    timeout: '5s',
    deadlines: new Deadlines(clock),
    services: (_ask, signal) => noServices(signal),
    askFor: () => () => Promise.reject(new Error('no helper in this test')),
    openWorkspace: () => Promise.reject(new Error('no workspaces in this test')),
    toolsOf: () => undefined,
    openTools: () => Promise.reject(new Error('no tools in this test')),
    stateOf: () => undefined,
    callHook: () => Promise.reject(new Error('no hook in this test')),
  }
}

async function runOne(agent: Partial<Agent>, written: object = {}, clock: Clock = new HandClock()) {
  const all = deps(agent, clock)
  try {
    return await runCase({ kind: 'case', testCase: caseOf({ input: 'hi', ...written }), run: 1 }, all)
  } finally {
    all.deadlines.close()
  }
}

test('a run that was lost with its process, and waiting for one, are not the case’s time', async () => {
  const clock = new HandClock()
  let calls = 0
  const agent: Partial<Agent> = {
    reserve: async (_chat, alone) => void (clock.ms += alone ? 1000 : 100),
    send: () => {
      calls += 1
      clock.ms += calls === 1 ? 500 : 30
      if (calls > 1) return Promise.resolve({ ...OK, cost_dollars: 2 })
      return Promise.reject(new AgentError({ code: 'lost', message: 'the process ended with 2 calls in flight' }))
    },
  }
  const result = await runOne(agent, {}, clock)
  expect(result).toMatchObject({
    status: 'passed',
    duration_ms: 30,
    cost_dollars: 2,
    reruns: [{ reason: 'the process ended with 2 calls in flight', duration_ms: 500 }],
  })
  expect(result).not.toHaveProperty('flaky')
})

test('after a lost run a failed attempt takes only its own time, too', async () => {
  const clock = new HandClock()
  const times = [500, 30, 7]
  const agent: Partial<Agent> = {
    reserve: () => Promise.resolve(),
    send: () => {
      const ms = times.shift() ?? 0
      clock.ms += ms
      if (ms === 7) return Promise.resolve(OK)
      const code = ms === 500 ? 'lost' : 'connection'
      return Promise.reject(new AgentError({ code, message: code, retry: true, retry_after_ms: 0 }))
    },
  }
  expect(await runOne(agent, { retry: { max_attempts: 2, backoff_ms: 0 } }, clock)).toMatchObject({
    status: 'passed',
    flaky: true,
    duration_ms: 37,
    reruns: [{ duration_ms: 500 }],
    failure_history: [{ attempt: 1, duration_ms: 30 }],
  })
})

test('a wait longer than the case may take is not begun, and the error says so', async () => {
  const waits: number[] = [5001, 0]
  const sent: string[] = []
  const send: Agent['send'] = () => {
    sent.push('sent')
    const retry_after_ms = waits.shift() ?? 0
    return Promise.reject(new AgentError({ code: 'rate_limit', message: 'too many', retry_after_ms }))
  }
  const retry = { max_attempts: 3, backoff_ms: 0 }
  const result = await runOne({ send }, { retry, timeout: '5s' })
  expect(result).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(
      /^agent error: too many \(the next try would have to wait [67]s, longer than the case may take\)$/,
    ),
    error_kind: 'agent',
  })
  expect(result).not.toHaveProperty('attempts')
  expect(result).not.toHaveProperty('failure_history')
  expect(sent).toHaveLength(1)
})

test('a wait that the case can take is made, and the case tried again', async () => {
  let calls = 0
  const send: Agent['send'] = () =>
    calls++ === 0
      ? Promise.reject(new AgentError({ code: 'rate_limit', message: 'too many', retry_after_ms: 0 }))
      : Promise.resolve(OK)
  const result = await runOne({ send }, { retry: { max_attempts: 3, backoff_ms: 0 } }, new Clock())
  expect(result).toMatchObject({ status: 'passed', flaky: true, attempts: 2, failure_history: [{ attempt: 1 }] })
})

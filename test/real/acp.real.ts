// Coding agents over the Agent Client Protocol, as published.
import { describe, expect, test } from 'vitest'
import { ACP, type CodingAgent } from './coding-agents.js'
import type { Behaviour } from './model/index.js'
import { note } from './results.js'
import { needsUser, openWorkbench, passing, writesOnce, type Workbench } from './workbench.js'

const WRITE = 'Write hello into hello.txt'

/** What cannot be known of it, and what it sends instead. */
const LIMITS: Record<string, { names?: string; refusal?: string; tokens?: string }> = {
  'gemini-cli (ACP)': {
    names:
      '{"sessionUpdate":"tool_call_update","title":"Writing to hello.txt","kind":"edit",…}: a title and a kind, no name',
  },
  'opencode (ACP)': {
    names: '{"sessionUpdate":"tool_call","title":"write","kind":"edit",…}: a title and a kind, no name',
    tokens:
      '{"stopReason":"end_turn","usage":{"totalTokens":120,…}} after two messages of 120 tokens each: only the last one is counted',
  },
}

async function open(agent: CodingAgent, cases: object[]): Promise<Workbench> {
  return openWorkbench(agent, { 'cases.jsonl': cases.map((each) => ({ workspace: {}, ...each })) })
}

function run(bench: Workbench, agent: CodingAgent, out: string, more: string[] = [], timeout = '90s') {
  const target = ['acp:', bench.program, ...agent.args(bench.model.url).map((arg) => ` ${arg}`)].join('')
  const args = ['test', '-i', 'cases.jsonl', '-n', target, '-o', out, '--parallel', '1']
  return bench.viva([...args, ...passing(agent), '--timeout', timeout, ...more])
}

describe.each(Object.entries(ACP))('%s', (name, agent) => {
  const missing = needsUser(agent.command)
  if (missing !== undefined) return test('cannot work here', () => note(name, 'one turn', 'no', missing))
  const limits = LIMITS[name] ?? {}

  test('one turn with a tool: true verdicts, both ways; recorded and replayed', async () => {
    const edit = agent.folder === 'codex-acp' ? 'execute' : 'edit'
    const bench = await open(agent, [
      {
        id: 'holds',
        input: WRITE,
        assert: [
          { type: 'contains', value: 'Writing it.\n\nAll done.' },
          { type: 'file_contains', path: 'hello.txt', pattern: 'hello' },
          { type: 'tool_called', kind: edit },
          { type: 'tool_not_called', kind: 'fetch' },
        ],
      },
      { id: 'kind', input: WRITE, assert: [{ type: 'tool_not_called', kind: edit }] },
      { id: 'name', input: WRITE, assert: [{ type: 'tool_not_called', name: agent.write('').name }] },
      { id: 'other', input: WRITE, assert: [{ type: 'tool_called', name: 'no_such_tool' }] },
      { id: 'tokens', input: WRITE, assert: [{ type: 'tokens', max: 100_000 }] },
      { id: 'few', input: WRITE, assert: [{ type: 'tokens', max: 200 }] },
    ])
    bench.model.decide(writesOnce(agent, ['All ', 'done.']))
    const live = await run(bench, agent, 'live.jsonl', ['--record', 'tape.yaml'])
    expect(bench.model.refusals).toEqual([])
    const verdicts = verdictsOf(bench, 'live.jsonl')
    const unknown = limits.names === undefined ? 'assertion' : 'input'
    const uncounted = limits.tokens !== undefined
    expect(verdicts, live.printed).toEqual({
      holds: 'passed',
      kind: 'assertion',
      name: unknown,
      other: unknown,
      tokens: uncounted ? 'input' : 'passed',
      few: uncounted ? 'input' : 'assertion',
    })
    note(name, 'one turn', limits.names === undefined ? 'yes' : 'partial', limits.names)
    note(name, 'tokens', uncounted ? 'partial' : 'yes', limits.tokens)
    const streamed = bench.model.requests.filter(({ path, body }) => path.includes(':stream') || body?.stream === true)
    expect(streamed.length).toBeGreaterThan(0)
    note(name, 'streaming', 'yes')

    await bench.model.close()
    const replayed = await run(bench, agent, 'replayed.jsonl', ['--replay', 'tape.yaml'])
    expect(verdictsOf(bench, 'replayed.jsonl'), replayed.printed).toEqual(verdicts)
    note(name, 'recorded and replayed', 'yes')
  })

  test('two turns after a tool', async () => {
    const bench = await open(agent, [
      {
        id: 'turns',
        turns: [
          { input: WRITE, assert: [{ type: 'file_contains', path: 'hello.txt', pattern: 'hello' }] },
          { input: 'How many is that?', assert: [{ type: 'contains', value: 'turn 2' }] },
          { input: 'And now?', assert: [{ type: 'contains', value: 'turn 3' }] },
        ],
      },
      {
        id: 'wrong',
        turns: [{ input: WRITE }, { input: 'How many is that?', assert: [{ type: 'contains', value: 'turn 3' }] }],
      },
    ])
    const writes = writesOnce(agent, ['Written.'])
    bench.model.decide((request, recorded) => {
      // Agents add messages of their own after the user's.
      const asked = JSON.stringify(recorded.body)
      const turn = asked.includes('And now?') ? 3 : asked.includes('How many is that?') ? 2 : 1
      if (turn === 1) return writes(request, recorded)
      return { kind: 'answer', pieces: [`turn ${turn}`], usage: { input: 5, output: 2 } }
    })
    const { printed } = await run(bench, agent, 'out.jsonl')
    expect(bench.model.refusals).toEqual([])
    expect(verdictsOf(bench, 'out.jsonl'), printed).toEqual({ turns: 'passed', wrong: 'assertion' })
    note(name, 'two turns after a tool', 'yes')
  })

  test('an error of its model fails the case', async () => {
    const behaviour: Behaviour = { kind: 'error', status: 400, type: 'invalid_request_error', message: 'no such model' }
    const { results } = await answers(agent, behaviour)
    expect(results[0]?.status, JSON.stringify(results)).toBe('failed')
    expect(results[0]?.error_kind).toBe('agent')
    note(name, 'error', 'yes')
  })

  test('a refusal passes no assertion on the answer', async () => {
    const { results } = await answers(agent, { kind: 'answer', refusal: 'I will not.', pieces: ['I will not.'] })
    const [result] = results
    expect(result?.status).toBe('failed')
    if (result?.refusal !== true) expect(result?.error).toContain('the agent gave no answer')
    const shown = '{"stopReason":"end_turn"} after no text at all: a refusal is not told from an empty answer'
    note(name, 'refusal', result?.refusal === true ? 'yes' : 'partial', result?.refusal === true ? undefined : shown)
  })

  test('a model that never answers: the case times out, and nothing is left running', async () => {
    const { results, bench } = await answers(agent, { kind: 'hang' }, '12s')
    expect(results.map(({ status, error_kind }) => [status, error_kind])).toEqual([['failed', 'timeout']])
    expect(bench.alive()).toEqual([])
    note(name, 'timeout', 'yes')
  })
})

async function answers(agent: CodingAgent, behaviour: Behaviour, timeout?: string) {
  const bench = await open(agent, [{ id: 'a', input: 'hello', assert: [{ type: 'not_contains', value: 'sorry' }] }])
  bench.model.decide(() => behaviour)
  const { printed } = await run(bench, agent, 'out.jsonl', [], timeout)
  return { results: bench.results('out.jsonl'), bench, printed }
}

function verdictsOf(bench: Workbench, file: string): Record<string, string> {
  return Object.fromEntries(bench.results(file).map(({ id, status, error_kind }) => [id, error_kind ?? status]))
}

// The four coding agents, as published, as backends of an orchestrator in the workspace of a case.
import { describe, expect, test } from 'vitest'
import { BACKENDS } from './coding-agents.js'
import type { Behaviour } from './model/index.js'
import { note } from './results.js'
import { needsUser, openWorkbench, writesOnce, type Workbench } from './workbench.js'

type Backend = (typeof BACKENDS)[string]

const TASK = 'Write hello into hello.txt'

/** What it prints of a refusal, where nothing says that it is one. */
const NO_REFUSAL: Record<string, string> = {
  'claude-code':
    'claude --output-format stream-json, the model ends with refusal: {"type":"result","is_error":true,"result":"API Error: …safeguards flagged this message…"}: an error, which fails the case',
  'gemini-cli': 'gemini -o stream-json, the model ends with SAFETY: an error about an empty answer, or none at all',
  codex: 'codex exec --json, the model answers with a refusal: {"type":"turn.completed",…} and no message',
  opencode: 'opencode run --format json, the model answers with a refusal: {"type":"step_finish",…} and no text',
}

async function open(agent: Backend, cases: object[], loop: object = { max_iterations: 1 }): Promise<Workbench> {
  const bench = await openWorkbench(agent, {
    'cases.jsonl': cases.map((each) => ({ input: TASK, workspace: {}, ...each })),
  })
  const { program, model } = bench
  bench.add({
    'hats.json': { cli: { backend: agent.backend, command: program, args: agent.args(model.url) }, event_loop: loop },
  })
  return bench
}

function run(bench: Workbench, agent: Backend, out: string, more: string[] = [], timeout = '120s') {
  const args = ['test', '-i', 'cases.jsonl', '-n', 'orchestrator:hats.json', '-o', out, '--parallel', '1']
  // The others reach it on their own.
  const names = Object.keys(agent.env('')).filter((name) => !/API_KEY|BASE_URL/.test(name))
  return bench.viva([...args, '--timeout', timeout, ...names.flatMap((name) => ['--pass-env', name]), ...more])
}

describe.each(Object.entries(BACKENDS))('%s', (name, agent) => {
  const missing = needsUser(agent.command)
  if (missing !== undefined) return test('cannot work here', () => note(name, 'one turn', 'no', missing))

  test('writes a file: true verdicts, both ways; recorded and replayed', async () => {
    const bench = await open(agent, [
      {
        id: 'holds',
        assert: [
          { type: 'file_contains', path: 'hello.txt', pattern: 'hello' },
          { type: 'tool_called', name: agent.reported },
          { type: 'tool_not_called', name: 'no_such_tool' },
          { type: 'tokens', max: 100_000 },
          ...(agent.cost ? [{ type: 'cost_within', max_dollars: 10 }] : []),
        ],
      },
      { id: 'called', assert: [{ type: 'tool_not_called', name: agent.reported }] },
      { id: 'not-called', assert: [{ type: 'tool_called', name: 'no_such_tool' }] },
      { id: 'no-file', assert: [{ type: 'file_contains', path: 'hello.txt', pattern: 'good bye' }] },
      { id: 'tokens', assert: [{ type: 'tokens', max: 1 }] },
      { id: 'cost', assert: [{ type: 'cost_within', max_dollars: 0 }] },
    ])
    bench.model.decide(writesOnce(agent, ['All done.\nLOOP_COMPLETE']))
    const { printed } = await run(bench, agent, 'live.jsonl', ['--record', 'tape.yaml'])
    expect(bench.model.refusals).toEqual([])
    const verdicts = verdictsOf(bench, 'live.jsonl')
    expect(verdicts, printed).toEqual({
      holds: 'passed',
      called: 'assertion',
      'not-called': 'assertion',
      'no-file': 'assertion',
      tokens: 'assertion',
      cost: agent.cost ? 'assertion' : 'input',
    })
    expect(bench.results('live.jsonl')[0]?.session?.iterations[0]?.session_id).toMatch(/\w{8}/)
    note(name, 'one turn', 'yes')
    note(name, 'tokens', 'yes')
    const unpriced = `cost_within: ${bench.results('live.jsonl').at(-1)?.error ?? ''}`
    note(name, 'cost', agent.cost ? 'yes' : 'no', agent.cost ? undefined : unpriced)
    const streamed = bench.model.requests.filter(({ path, body }) => path.includes(':stream') || body?.stream === true)
    expect(streamed.length).toBeGreaterThan(0)
    note(name, 'streaming', 'yes')

    await bench.model.close()
    const replayed = await run(bench, agent, 'replayed.jsonl', ['--replay', 'tape.yaml'])
    // What is replayed costs nothing.
    const again = { ...verdicts, cost: 'passed' }
    expect(verdictsOf(bench, 'replayed.jsonl'), replayed.printed).toEqual(again)
    note(name, 'recorded and replayed', 'yes')
  })

  test('two turns after a tool, in iterations of a loop', async () => {
    const hats = (...list: string[]) => ({ type: 'hat_sequence', hats: list })
    const bench = await open(
      agent,
      [
        {
          id: 'turns',
          assert: [
            hats('planner', 'builder', 'planner'),
            { type: 'termination_reason', expected: 'CompletionPromise' },
            { type: 'tool_called', name: agent.reported },
            { type: 'file_contains', path: 'hello.txt', pattern: 'hello' },
          ],
        },
        { id: 'wrong', assert: [{ type: 'termination_reason', expected: 'MaxIterations' }] },
      ],
      { max_iterations: 5 },
    )
    const writes = writesOnce(agent, ['Handing out.\n<event topic="build.task">Step-One</event>'])
    bench.model.decide((request, recorded) => {
      const asked = JSON.stringify(recorded.body)
      const words = asked.includes('Step-Two')
        ? 'Nothing is left.\nLOOP_COMPLETE'
        : asked.includes('Step-One')
          ? 'Built.\n<event topic="build.done">Step-Two</event>'
          : undefined
      if (words === undefined) return writes(request, recorded)
      return { kind: 'answer', pieces: [words], usage: { input: 5, output: 2 } }
    })
    const { printed } = await run(bench, agent, 'out.jsonl')
    expect(bench.model.refusals).toEqual([])
    expect(verdictsOf(bench, 'out.jsonl'), printed).toEqual({ turns: 'passed', wrong: 'assertion' })
    note(name, 'two turns after a tool', 'yes')
  })

  test('an error of its model fails the case', async () => {
    const error: Behaviour = { kind: 'error', status: 400, type: 'invalid_request_error', message: 'no such model' }
    const { results } = await answers(agent, error)
    expect(results.map(({ status }) => status)).toEqual(['failed'])
    note(name, 'error', 'yes')
  })

  test('a refusal passes no assertion on the answer', async () => {
    const { results } = await answers(agent, { kind: 'answer', refusal: 'I will not.', pieces: ['I will not.'] })
    expect(results.map(({ status }) => status)).toEqual(['failed'])
    const isSeen = results[0]?.refusal === true
    note(name, 'refusal', isSeen ? 'yes' : 'partial', isSeen ? undefined : NO_REFUSAL[name])
  })

  test('a model that never answers: the case times out, and nothing is left running', async () => {
    const { results, bench } = await answers(agent, { kind: 'hang' }, '15s')
    expect(results.map(({ status, error_kind }) => [status, error_kind])).toEqual([['failed', 'timeout']])
    expect(bench.alive()).toEqual([])
    note(name, 'timeout', 'yes')
  })
})

async function answers(agent: Backend, behaviour: Behaviour, timeout?: string) {
  const bench = await open(agent, [{ id: 'a', assert: [{ type: 'not_contains', value: 'sorry' }] }])
  bench.model.decide(() => behaviour)
  const { printed } = await run(bench, agent, 'out.jsonl', [], timeout)
  return { results: bench.results('out.jsonl'), bench, printed }
}

function verdictsOf(bench: Workbench, file: string): Record<string, string> {
  return Object.fromEntries(bench.results(file).map(({ id, status, error_kind }) => [id, error_kind ?? status]))
}

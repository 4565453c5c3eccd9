// What the backends of hats call is evidence: live, replayed and judged again, in cases and in test_assert.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { testTools } from '../support/open-tools.js'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'
import { standIns } from '../support/stand-in.js'

const WRITE = { name: 'Write', args: { file_path: 'a.txt', content: 'x' }, result: 'written' }
const MOCK = [{ output: 'LOOP_COMPLETE', tool_calls: [WRITE, { name: 'Bash', args: { command: 'ls' }, error: 'no' }] }]

/** The verdicts on the same calls: what was called, and how. */
const HOLDS = [
  { type: 'tool_called', name: 'Write', arguments: { file_path: 'a.txt' } },
  { type: 'tool_sequence', tools: ['Write', 'Bash'], match: 'strict' },
  { type: 'tool_result', tool: 'Write', result: 'written' },
  { type: 'tool_not_called', name: 'Write', arguments: { file_path: 'b.txt' } },
  { type: 'tool_not_called', name: 'Read' },
]
const FAILS = [
  { type: 'tool_not_called', name: 'Write' },
  { type: 'tool_called', name: 'Read' },
  { type: 'tool_called', name: 'Write', negate: true },
  { type: 'none', assertions: [{ type: 'tool_called', name: 'Bash' }] },
  { type: 'tool_result', tool: 'Bash' },
]

/** One result for each assertion. */
async function judged(target: string, assert: object[], { mock = MOCK, more = [], ...place }: Judging = {}) {
  const cwd = place.cwd ?? makeFolder(place.files)
  const cases = assert.map((one, index) => ({
    id: `T${index + 1}`,
    input: 'x',
    ...(mock && { options: { mock_responses: mock } }),
    assert: [one],
  }))
  writeFileSync(join(cwd, 'cases.jsonl'), cases.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const args = ['test', '-i', 'cases.jsonl', '-n', target, '-o', 'last.jsonl', '--force', ...more]
  await viva(args, { cwd, env: place.env ?? {} })
  const results = resultsOf(cwd, 'last.jsonl')
  return { cwd, verdicts: results.map(({ status }) => status), results }
}

function resultsOf(cwd: string, name: string): ResultEvent[] {
  const events = parseEvents(readFileSync(join(cwd, name), 'utf8'))
  return events.filter(({ type }) => type === 'result') as unknown as ResultEvent[]
}

interface Judging {
  cwd?: string
  files?: Record<string, object>
  mock?: object[] | null
  more?: string[]
  env?: Record<string, string>
}

describe('in cases', () => {
  test('scripted calls, live, replayed and judged again', async () => {
    const wanted = [...HOLDS.map(() => 'passed'), ...FAILS.map(() => 'failed')]
    const live = await judged('orchestrator:', [...HOLDS, ...FAILS], { more: ['--record', 'tape.yaml'] })
    expect(live.verdicts).toEqual(wanted)
    expect(live.results[0]?.tool_calls).toMatchObject([WRITE, { name: 'Bash' }])
    const { cwd } = live
    const again = ['--replay', 'tape.yaml']
    expect((await judged('orchestrator:', [...HOLDS, ...FAILS], { cwd, more: again })).verdicts).toEqual(wanted)
    renameSync(join(cwd, 'last.jsonl'), join(cwd, 'events.jsonl'))
    expect((await judged('recorded:events.jsonl', [...HOLDS, ...FAILS], { cwd })).verdicts).toEqual(wanted)
  })

  test("claude's calls, with what they returned", async () => {
    const program = standIns(['claude'])
    const { verdicts, results } = await judged(
      'orchestrator:hats.yml',
      [
        { type: 'tool_not_called', name: 'Bash' },
        { type: 'tool_called', name: 'Bash', times: 1 },
        { type: 'tool_result', tool: 'Bash', result: 'LOOP_COMPLETE' },
        { type: 'tool_not_called', name: 'Write' },
      ],
      { files: { 'hats.yml': { cli: { backend: 'claude' } } }, mock: null, env: program.own },
    )
    expect(verdicts).toEqual(['failed', 'passed', 'passed', 'passed'])
    expect(results[0]?.tool_calls).toEqual([{ name: 'Bash', args: {}, id: 't', result: 'LOOP_COMPLETE' }])
  })

  test('a backend that reports no calls shows neither that a tool was called nor that it was not', async () => {
    const program = standIns(['gemini'])
    const spec = { type: 'tool_not_called', name: 'Write' }
    const assert = [spec, { ...spec, negate: true }, { type: 'none', assertions: [spec] }]
    const { cwd, results } = await judged('orchestrator:hats.yml', assert, {
      files: { 'hats.yml': { cli: { backend: 'gemini' } } },
      mock: null,
      env: program.own,
      more: ['--record', 'tape.yaml'],
    })
    renameSync(join(cwd, 'last.jsonl'), join(cwd, 'events.jsonl'))
    const unknown = { status: 'failed', error_kind: 'input', error: expect.stringContaining('hat planner') as string }
    expect(results).toMatchObject([unknown, unknown, unknown])
    for (const [target, more] of [
      ['orchestrator:hats.yml', ['--replay', 'tape.yaml']],
      ['recorded:events.jsonl', []],
    ] as const)
      expect(
        (await judged(target, assert, { cwd, mock: null, env: program.own, more: [...more] })).results,
      ).toMatchObject([unknown, unknown, unknown])
  })

  test('a backend that was cut off shows the calls it had reported, and not that there were no others', async () => {
    const call = { type: 'assistant', message: { content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] } }
    const cwd = makeFolder({ 'claude.mjs': `console.log(${JSON.stringify(JSON.stringify(call))})` })
    writeFileSync(join(cwd, 'claude'), `#!/bin/sh\nexec "${process.execPath}" "${cwd}/claude.mjs"\n`, { mode: 0o755 })
    const cli = { backend: 'claude', command: './claude' }
    writeFileSync(join(cwd, 'hats.yml'), JSON.stringify({ cli, event_loop: { max_iterations: 1 } }))
    const assert = [
      { type: 'tool_not_called', name: 'Write' },
      { type: 'tool_not_called', name: 'Bash' },
      { type: 'tool_called', name: 'Bash' },
    ].map((one) => ({ type: 'all', assertions: [one, { type: 'exit_code', value: 2 }] }))
    const { results } = await judged('orchestrator:hats.yml', assert, { cwd, mock: null })
    expect(results[0]).toMatchObject({ error_kind: 'input', error: expect.stringContaining('was cut off') })
    expect(results.map(({ status }) => status)).toEqual(['failed', 'failed', 'passed'])
  })

  test('an earlier turn whose calls are not known is not forgotten by the end', async () => {
    const cwd = makeFolder({
      'claude.mjs': `import { readFileSync } from 'node:fs'
        const said = readFileSync(0, 'utf8').includes('one') ? '<event topic="go">on</event>' : 'LOOP_COMPLETE'
        console.log(JSON.stringify({ type: 'result', subtype: 'success', result: said, total_cost_usd: 0 }))`,
      'cases.jsonl': [
        {
          id: 'T1',
          turns: [{ input: 'one' }, { input: 'two', assert: [{ type: 'tool_not_called', name: 'Write' }] }],
          final_assertions: [{ type: 'tool_not_called', name: 'Write' }],
        },
      ],
    })
    writeFileSync(join(cwd, 'claude'), `#!/bin/sh\nexec "${process.execPath}" "${cwd}/claude.mjs"\n`, { mode: 0o755 })
    const echo = { type: 'custom', command: 'echo', args: ['LOOP_COMPLETE'], prompt_mode: 'stdin' }
    const hats = { first: { triggers: ['task.start'] }, second: { triggers: ['go'], backend: echo } }
    writeFileSync(join(cwd, 'hats.yml'), JSON.stringify({ cli: { backend: 'claude', command: './claude' }, hats }))
    await viva(['test', '-i', 'cases.jsonl', '-n', 'orchestrator:hats.yml', '-o', 'last.jsonl'], { cwd })
    const [result] = resultsOf(cwd, 'last.jsonl')
    expect(result?.turns?.map(({ status }) => status)).toEqual(['passed', 'passed'])
    expect(result).toMatchObject({ status: 'failed', error: expect.stringContaining('hat second') })
  })
})

describe('in test_assert', () => {
  const setup = async (mock_responses: object[], config: object = {}) => {
    const tools = await testTools({ env: { PATH: process.env['PATH'] } })
    await tools.call('test_setup', { workspace_id: 'w', config })
    const run = { workspace_id: 'w', task: 'x', mock_responses }
    const check = async (...assertions: object[]) => {
      const { results } = await tools.call('test_assert', { workspace_id: 'w', assertions })
      return (results as Array<{ passed: boolean; error?: string }>).map(({ passed, error }) => error ?? passed)
    }
    return { ...tools, run, check }
  }

  test('of a scripted run, its recording and its replay', async () => {
    const { call, run, check } = await setup(MOCK)
    const wanted = [...HOLDS.map(() => true), ...FAILS.map(() => false)]
    await call('test_run', run)
    expect(await check(...HOLDS, ...FAILS)).toEqual(wanted)
    await call('test_record', { ...run, backend: 'mock', cassette_name: 'a' })
    await call('test_replay', { workspace_id: 'w', task: 'x', cassette_name: 'a' })
    expect(await check(...HOLDS, ...FAILS)).toEqual(wanted)
  })

  test('a cassette that has only the names of tools says nothing about their arguments', async () => {
    const { call, run, check } = await setup([{ output: 'LOOP_COMPLETE', tool_calls: [{ name: 'Write' }] }])
    const { cassette_path } = await call('test_record', { ...run, backend: 'mock', cassette_name: 'a' })
    const path = String(cassette_path)
    writeFileSync(path, readFileSync(path, 'utf8').replace(',"args":{}', ''))
    await call('test_replay', { workspace_id: 'w', task: 'x', cassette_name: 'a' })
    const arguments_ = { arguments: { file_path: 'a.txt' } }
    expect(
      await check(
        { type: 'tool_not_called', name: 'Write' },
        { type: 'tool_called', name: 'Write' },
        { type: 'tool_not_called', name: 'Write', ...arguments_ },
        { type: 'tool_called', name: 'Write', ...arguments_, negate: true },
      ),
    ).toEqual([false, true, false, false])
  })

  test('a program that reports no calls, and one that is never asked', async () => {
    const cli = { backend: 'custom', command: 'echo', args: ['LOOP_COMPLETE\nLOOP_COMPLETE'], prompt_mode: 'stdin' }
    const { call, check } = await setup([], { cli })
    await call('test_run', { workspace_id: 'w', task: 'x', backend: 'custom' })
    const unknown = expect.stringContaining('does not report tool calls') as string
    expect(
      await check({ type: 'tool_not_called', name: 'Write' }, { type: 'tool_sequence', tools: [], match: 'strict' }),
    ).toEqual([unknown, unknown])
  })
})

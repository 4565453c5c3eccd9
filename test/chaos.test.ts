// `viva test --chaos`: faults in calls, the same ones for the same seed, listed in results, and never the reason for a pass.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ResultEvent, SummaryEvent } from '../src/model/event.js'
import { makeFolder, parseEvents, viva, type Files } from './support/run-cli.js'
import { event } from './support/run-loop.js'

/** What any answer satisfies, an empty one too: only a call that failed can make it fail. */
const ANY = { type: 'not_contains', value: 'never said' }
const cases = Array.from({ length: 12 }, (_, index) => ({ id: `T${index + 1}`, input: `hello ${index}`, assert: ANY }))

async function run(files: Files, args: string[]) {
  const cwd = makeFolder(files)
  const { code, stdout, stderr } = await viva(['test', '-o', 'events.jsonl', '-o', 'report.md', ...args], { cwd })
  const events = code === 2 ? [] : parseEvents(readFileSync(join(cwd, 'events.jsonl'), 'utf8'))
  return {
    cwd,
    code,
    text: stdout + stderr,
    results: events.filter((each) => each.type === 'result') as unknown as ResultEvent[],
    summary: events.findLast((each) => each.type === 'summary') as unknown as SummaryEvent,
  }
}

const echo = (chaos: string, ...more: string[]) =>
  run({ 'cases.jsonl': cases }, ['-i', 'cases.jsonl', '-n', 'builtin:echo', `--chaos=${chaos}`, ...more])

const faultsOf = (results: ResultEvent[]) =>
  Object.fromEntries(results.map(({ id, faults = [] }) => [id, faults.map(({ fault }) => fault)]))

describe('the calls of an agent', () => {
  test.each([
    ['timeout', 'chaos: no answer after 1ms'],
    ['error', 'chaos: the call failed'],
    ['malformed', 'chaos: the answer could not be read'],
    ['dropped', 'chaos: the stream broke off'],
  ])('%s on every call: no case passes, whatever it asserts', async (fault, message) => {
    const { code, results, summary, text, cwd } = await echo(`${fault},rate=1,delay=1ms`)
    expect([code, summary.passed, summary.faults]).toEqual([1, 0, 12])
    for (const result of results) {
      expect(result).toMatchObject({ status: 'failed', error_kind: 'agent', error: `agent error: ${message}` })
      expect(result.faults).toEqual([{ call: 1, role: 'builtin:echo', fault }])
    }
    expect(text).toContain(`chaos: ${fault} at call 1 (builtin:echo)`)
    expect(text).toContain('12 faults injected into calls')
    expect(readFileSync(join(cwd, 'report.md'), 'utf8')).toContain(`chaos: ${fault} at call 1`)
  })

  test('a slow answer is whole: the case decides by what it asserts', async () => {
    const { code, results } = await echo('slow,rate=1,delay=1ms')
    expect([code, ...new Set(results.map(({ status }) => status))]).toEqual([0, 'passed'])
    const late = { ...cases[0], assert: [ANY, { type: 'latency', max_ms: 20 }] }
    const args = ['-i', 'cases.jsonl', '-n', 'builtin:echo', '--chaos=slow,rate=1,delay=60ms']
    expect((await run({ 'cases.jsonl': [late] }, args)).code).toBe(1)
  })

  test('the seed decides, not the order: side by side and one by one the same calls fail', async () => {
    const one = await echo('error,slow,delay=1ms,seed=5')
    const many = await echo('error,slow,delay=1ms,seed=5', '--parallel', '6')
    const other = await echo('error,slow,delay=1ms,seed=6')
    expect(new Set(Object.values(faultsOf(one.results)).map(String))).toEqual(new Set(['error', 'slow', '']))
    expect(faultsOf(many.results)).toEqual(faultsOf(one.results))
    expect(faultsOf(other.results)).not.toEqual(faultsOf(one.results))
    for (const { status, faults = [] } of one.results)
      expect(status).toBe(faults.some(({ fault }) => fault === 'error') ? 'failed' : 'passed')
  })

  test('another attempt has faults of its own, and a pass after one is flaky', async () => {
    const again = cases.map((each) => ({ ...each, retry: { max_attempts: 4, backoff_ms: 1 } }))
    const args = ['-i', 'cases.jsonl', '-n', 'builtin:echo', '--chaos=error,seed=5']
    const { results } = await run({ 'cases.jsonl': again }, args)
    const flaky = results.filter((result) => result.flaky)
    expect(flaky.length).toBeGreaterThan(0)
    for (const { attempts = 1, faults = [] } of flaky) expect(faults).toHaveLength(attempts - 1)
    for (const { faults, flaky: isFlaky, status } of results)
      expect(status === 'passed' && faults !== undefined).toBe(isFlaky === true)
  })
})

test('a run without a fault shows nothing about faults: exit code 3', async () => {
  const { code, summary, text } = await echo('error,rate=0.000001')
  expect([code, summary.passed, summary.faults]).toEqual([3, 12, 0])
  expect(text).toContain('raise rate, or use another seed')
})

test('models of a package, its tools, and who it is asked by: each lane on its own', async () => {
  const app = {
    'app.yao': '{}',
    'assistants/desk/package.yao': { name: 'desk', connector: 'mock', mcp: { servers: ['stock'] } },
    'assistants/desk/prompts.yml': '- role: system\n  content: be brief\n',
    'assistants/desk/mcps/stock.mcp.yao': { transport: 'process', tools: { count: 'scripts.stock.Count' } },
    'assistants/desk/mcps/mapping/stock/schemes/count.in.yao': { type: 'object', properties: {} },
    'assistants/desk/src/stock.ts': 'export function Count() { return { apples: 3 } }\n',
    'assistants/desk/mock.yml': '- tool_calls: [{ name: stock__count, args: {} }]\n- output: three\n',
    'cases.jsonl': [{ id: 'T1', input: 'how many?', assert: [ANY] }],
  }
  const args = ['-i', 'cases.jsonl', '-n', 'desk']
  const calm = await run(app, args)
  expect([calm.code, calm.text]).toEqual([0, expect.any(String)])
  const model = await run(app, [...args, '--chaos=error,rate=1'])
  expect(model.results[0]).toMatchObject({ status: 'failed', faults: [{ call: 1, role: 'desk', fault: 'error' }] })
  const tools = await run(app, [...args, '--chaos=error,rate=1,lane=tools'])
  expect(tools.results[0]).toMatchObject({
    status: 'passed',
    output: 'three',
    tool_calls: [{ name: 'stock__count', error: 'chaos: the tool failed' }],
    faults: [{ call: 1, role: 'stock__count', fault: 'error' }],
  })
  const broken = await run(app, [...args, '--chaos=malformed,rate=1,lane=tools'])
  expect(broken.results[0]?.tool_calls?.[0]?.result).toBe('{"chaos": {"appl')
})

test('the hats of an orchestrator fail one by one, and its session says so', async () => {
  const mock_responses = [event('build.task', 'x'), event('build.done', 'y'), 'LOOP_COMPLETE']
  const testCase = { id: 'T1', input: 'Build', workspace: {}, options: { mock_responses } }
  const files = {
    'cases.jsonl': [{ ...testCase, assert: { type: 'termination_reason', expected: 'CompletionPromise' } }],
  }
  const args = ['-i', 'cases.jsonl', '-n', 'orchestrator:']
  const { results } = await run(files, [...args, '--chaos=error,rate=0.4,seed=3'])
  const [{ faults = [], session } = {} as ResultEvent] = results
  expect(faults.length).toBeGreaterThan(0)
  expect(session?.iterations.filter(({ error }) => error === 'chaos: the backend failed')).toHaveLength(faults.length)
  const always = await run(files, [...args, '--chaos=error,rate=1'])
  expect(always.results[0]).toMatchObject({ status: 'failed', session: { termination_reason: 'ConsecutiveFailures' } })
})

test('what is wrong with --chaos is said before anything runs', async () => {
  const problem = async (chaos: string, ...more: string[]) => {
    const { code, text } = await echo(chaos, ...more)
    expect(code, text).toBe(2)
    return text
  }
  expect(await problem('eror')).toContain('did you mean "error"?')
  expect(await problem('rate=2')).toContain('rate must be above 0 and at most 1, found "2"')
  expect(await problem('seed=-1')).toContain('seed must be a whole number')
  expect(await problem('delay=100')).toContain('a number needs a unit')
  expect(await problem('lane=reporter')).toContain('expected agent, tools, simulator, judge')
  expect(await problem('error', '--record', 'tape.yml')).toContain('--chaos and --record cannot be used together')
})

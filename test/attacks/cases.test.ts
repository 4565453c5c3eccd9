// Cases that could never fail, never pass, or do not say what they seem to: refused before anything runs.
import { expect, test } from 'vitest'
import { surprises, verdictsOf } from '../support/attack.js'
import { makeFolder, viva } from '../support/run-cli.js'

const A = { type: 'contains', value: 'a' }
const checks = (...assert: unknown[]) => ({ input: 'a', assert })
const judged = (more: object) => checks({ type: 'agent', use: './judge.mjs#run', ...more })

/** Each has at least one problem. */
const WRONG: readonly object[] = [
  ...[0, -1, 1.5, '5', null].map((max_turns) => ({ turns: [{ input: 'a', assert: [A] }], max_turns })),
  judged({ value: '' }),
  judged({ value: ' \n ' }),
  judged({ value: 'x', votes: 0 }),
  judged({ value: 'x', votes: 2.5 }),
  judged({ value: 'x', votes: -1 }),
  judged({ value: 'x', threshold: '0.5' }),
  judged({ value: 'x', treshold: 0.5 }),
  checks({ type: 'rubric', criterion: '' }),
  checks({ type: 'rubric', criterion: 'x', threshold: 6 }),
  checks({ type: 'rubric', criterion: 'x', threshold: 0 }),
  { input: 'a', asserts: [A] },
  { input: 'a', asert: [A] },
  { input: 'a', assertion: [A] },
  { input: 'a', Assert: [A] },
  { input: 'a', expect: 'b' },
  { input: 'a', assert: [A], assertions: [A] },
  { input: 'a', assert: [A], min_score: 0 },
  { input: 'a', assert: [A], min_score: 1.5 },
  { input: 'a', assert: [A], min_score: '0.5' },
  { input: 'a', assert: [{ ...A, weight: -1 }], min_score: 0.5 },
  { input: 'a', assert: [A], timeout: '-1s' },
  { input: 'a', assert: [A], timeout: '0s' },
  { input: 'a', assert: [A], timeout: 'soon' },
  { input: 'a', assert: [A], on_missing_input: 'pass' },
  { input: 'a', assert: [A], retry: { max_attempts: 0 } },
  { input: null, assert: [A] },
  { messages: [], assert: [A] },
  { turns: [], assert: [A] },
  { turns: [{ input: 'a', asert: [A] }] },
  { turns: [{ inputs: 'a', assert: [A] }] },
  { input: 'a', checkpoints: [{ id: 'c' }], simulator: { use: './judge.mjs#run' } },
  { input: 'a', checkpoints: [{ id: 'c', assert: A, after: ['d'] }], simulator: { use: './judge.mjs#run' } },
  checks({ type: 'contains' }),
  checks({ type: 'contains', value: '' }),
  checks({ type: 'contains', values: 'a' }),
  checks({ type: 'contain', value: 'a' }),
  checks({ type: 'contains', value: 'a', negat: true }),
  checks({ type: 'regex', value: '' }),
  checks({ type: 'regex', value: '.*' }),
  checks({ type: 'regex', value: 'a|' }),
  checks({ type: 'regex', value: '(' }),
  checks({ type: 'regex', value: '(?=a)' }),
  checks({ type: 'length' }),
  checks({ type: 'length', min: 0 }),
  checks({ type: 'length', min: 5, max: 2 }),
  checks({ type: 'words', exact: -1 }),
  checks({ type: 'latency', max_ms: -1 }),
  checks({ type: 'cost', max_dollars: -1 }),
  checks({ type: 'json_path', value: 1 }),
  checks({ type: 'json_path', path: '$.[', value: 1 }),
  checks({ type: 'type', value: 'strng' }),
  checks({ type: 'schema', value: { type: 'strng' } }),
  checks({ type: 'similar', value: 'a', threshold: 0 }),
  checks({ type: 'similar', value: 'a', threshold: 80 }),
  checks({ type: 'awaiting_input', value: 'yes' }),
  checks({ type: 'refusal', value: 'no' }),
  checks({ type: 'tool_called' }),
  checks({ type: 'tool_called', name: '' }),
  checks({ type: 'tool_called', name: 'f', times: { min: 0 } }),
  checks({ type: 'tool_called', name: 'f', times: { min: 3, max: 1 } }),
  checks({ type: 'tool_called', name: 'f', argument: { a: 1 } }),
  checks({ type: 'tool_called', name: 'f', arguments: { a: { $gtt: 1 } } }),
  checks({ type: 'tool_called', name: 'f', arguments: { a: { $in: [] } } }),
  checks({ type: 'tool_called', name: 'f', arguments: { a: { $all: [] } } }),
  checks({ type: 'tool_sequence', tools: [] }),
  checks({ type: 'tool_sequence', tools: ['f'], match: 'some' }),
  checks({ type: 'any', assertions: [] }),
  checks({ type: 'all', assertions: [] }),
  checks({ type: 'none', assertions: [] }),
  checks({ type: 'any', assertion: [A] }),
  checks({ type: 'any', assertions: [{ type: 'contians', value: 'a' }] }),
  checks({ type: 'script', script: 'scripts.none.Such' }),
  checks({ type: 'agent', use: 'agents:none.such', value: 'x' }),
  checks(7),
  checks(null),
  checks([]),
  checks({}),
]

/** At most fifty problems of a run are listed. */
const LISTED = 40

test('each of them is named, with its line', async () => {
  const judge = 'export const run = () => ({ passed: true })'
  const parts = Array.from({ length: Math.ceil(WRONG.length / LISTED) }, (_, part) =>
    WRONG.slice(part * LISTED, (part + 1) * LISTED),
  )
  const missed = await Promise.all(
    parts.map(async (part) => {
      const cases = part.map((given, index) => ({ id: `T${index + 1}`, ...given }))
      const cwd = makeFolder({ 'wrong.jsonl': cases, 'judge.mjs': judge })
      const { code, stderr } = await viva(['test', '-i', 'wrong.jsonl', '-n', 'builtin:echo'], { cwd })
      expect(code).toBe(2)
      const named = new Set([...stderr.matchAll(/wrong\.jsonl:(\d+)/g)].map(([, line]) => Number(line)))
      // Problems of one kind are summed up: `5 more problems like these: lines 4–8, 11`.
      for (const [, list = ''] of stderr.matchAll(/like (?:these|this): lines? ([\d–, ]+)/g))
        for (const range of list.split(',')) {
          const [from = 0, to = from] = range.split('–').map(Number)
          for (let line = from; line <= to; line++) named.add(line)
        }
      return part.filter((_, index) => !named.has(index + 1))
    }),
  )
  expect(missed.flat()).toEqual([])
})

/** `[the text as YAML has it, what the agent says, whether that contains it]`. */
const SCALARS: ReadonlyArray<[value: string, said: string, verdict: string]> = [
  ['1.0', 'version 1.0', 'passed'],
  ['1.0', 'version 1', 'failed'],
  ['1.10', 'version 1.10', 'passed'],
  ['1.10', 'version 1.1', 'failed'],
  ['007', 'agent 007', 'passed'],
  ['007', 'agent 7', 'failed'],
  ['1e3', 'size 1e3', 'passed'],
  ['1e3', 'size 1000', 'failed'],
  ['0x10', 'at 0x10', 'passed'],
  ['+1', 'vote +1', 'passed'],
  ['.5', 'half .5', 'passed'],
  ['12:30', 'at 12:30', 'passed'],
  ['2024-01-01', 'on 2024-01-01', 'passed'],
  ['yes', 'yes', 'passed'],
  ['no', 'norway no', 'passed'],
  ['100_000', 'sum 100_000', 'passed'],
]

test('numbers of YAML where text is compared', async () => {
  const lines = SCALARS.map(
    ([value, said], index) =>
      `- id: T${index + 1}\n  input: ${JSON.stringify(said)}\n  assert: [{type: contains, value: ${value}}]\n`,
  )
  const cwd = makeFolder({ 'scalars.yaml': lines.join('') })
  const { stdout, stderr } = await viva(['test', '-i', 'scalars.yaml', '-n', 'builtin:echo', '--json'], { cwd })
  const found = SCALARS.map(
    (_, index) => new RegExp(`"id":"T${index + 1}",.*?"status":"(\\w+)"`).exec(stdout)?.[1] ?? stderr,
  )
  expect(
    surprises(
      SCALARS.map(([value, said, verdict]) => [`${value} in ${said}`, verdict] as const),
      found,
    ),
  ).toEqual([])
})

/** Modules of cases in which what is read once may be something else the next time, or is lost on the way. */
const MODULES: Record<string, string> = {
  getter: `export default [{ id: 'a', input: 'a', get assert() { return [] } }]`,
  'getter inside': `export default [{ id: 'a', input: 'a', assert: [{ type: 'contains', get value() { return 'a' } }] }]`,
  proxy: `export default [new Proxy({ id: 'a', input: 'a', assert: [{ type: 'contains', value: 'b' }] }, { get: (o, k) => k === 'assert' ? undefined : o[k] })]`,
  function: `export default [{ id: 'a', input: 'a', assert: [() => false] }]`,
  'function as value': `export default [{ id: 'a', input: 'a', assert: [{ type: 'contains', value: () => 'b' }] }]`,
  symbol: `export default [{ id: 'a', input: Symbol('a'), assert: [{ type: 'contains', value: 'a' }] }]`,
  map: `export default [{ id: 'a', input: 'a', assert: [{ type: 'equals', value: new Map([['a', 1]]) }] }]`,
  set: `export default [{ id: 'a', input: 'a', assert: new Set([{ type: 'contains', value: 'b' }]) }]`,
  nan: `export default [{ id: 'a', input: 'a', assert: [{ type: 'length', max: NaN }] }]`,
  infinity: `export default [{ id: 'a', input: 'a', assert: [{ type: 'length', max: Infinity }] }]`,
  bigint: `export default [{ id: 'a', input: 'a', assert: [{ type: 'length', max: 1n }] }]`,
  cycle: `const a = { type: 'any' }; a.assertions = [a]; export default [{ id: 'a', input: 'a', assert: [a] }]`,
  promise: `export default [{ id: 'a', input: 'a', assert: Promise.resolve([{ type: 'contains', value: 'b' }]) }]`,
  inherited: `export default [Object.create({ id: 'a', input: 'a', assert: [{ type: 'contains', value: 'b' }] })]`,
  undefined: `export default [{ id: 'a', input: 'a', assert: [{ type: 'contains', value: undefined }] }]`,
  hole: `export default [{ id: 'a', input: 'a', assert: [, { type: 'contains', value: 'a' }] }]`,
  nothing: `export const x = 1`,
  thrown: `throw new Error('no'); export default []`,
}

test('modules of cases', { timeout: 60_000 }, async () => {
  const names = Object.keys(MODULES)
  const cwd = makeFolder(
    Object.fromEntries(names.map((name) => [`${name.replaceAll(' ', '-')}/cases.ts`, MODULES[name] ?? ''])),
  )
  const runs = await Promise.all(
    names.map((name) => viva(['test', '-i', `${name.replaceAll(' ', '-')}/cases.ts`, '-n', 'builtin:echo'], { cwd })),
  )
  const green = names.filter((_, index) => runs[index]?.code === 0)
  const silent = names.filter((_, index) => runs[index]?.stderr === '')
  expect([green, silent]).toEqual([[], []])
})

/** A misspelt path must not look like an answer, or like no calls. */
const DATA = { answer: { text: 'a' }, did: [{ name: 'pay' }] }
const PATHS: ReadonlyArray<[config: object, assert: object, verdict: string]> = [
  [{ response_path: '$.answer.text' }, A, 'passed'],
  [{ response_path: '$.answer.txt' }, { type: 'not_contains', value: 'zzz' }, 'failed'],
  [{ response_path: '$.answers[0]' }, { type: 'not_contains', value: 'zzz' }, 'failed'],
  [{ response_path: '$.answer.text', tool_calls_path: '$.did' }, { type: 'tool_called', name: 'pay' }, 'passed'],
  [{ response_path: '$.answer.text', tool_calls_path: '$.done' }, { type: 'tool_not_called', name: 'pay' }, 'error'],
  [
    { response_path: '$.answer.text', tool_calls_path: '$.did[0].args' },
    { type: 'tool_not_called', name: 'pay' },
    'error',
  ],
  [{ response_path: '$.answer.text', tool_calls_path: '$.answer' }, { type: 'tool_not_called', name: 'pay' }, 'failed'],
  [{ response_path: '$.answer.text', usage_path: '$.none' }, { type: 'tokens', max: 5 }, 'error'],
]

test('paths into the answer of an endpoint', async () => {
  const { createServer } = await import('node:http')
  const { listen } = await import('../support/raw-server.js')
  const body = JSON.stringify(DATA)
  const server = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(body))
  const target = `http://127.0.0.1:${await listen(server)}/agent`
  const found = await Promise.all(
    PATHS.map(async ([config, assert]) => {
      const cwd = makeFolder({ 'viva.config.json': { agents: { desk: { target, ...config } } } })
      return (await verdictsOf(cwd, [{ input: 'a', assert: [assert] }], 'desk'))[0] ?? ''
    }),
  )
  expect(
    surprises(
      PATHS.map(([config, assert, verdict]) => [{ config, assert }, verdict] as const),
      found,
    ),
  ).toEqual([])
})

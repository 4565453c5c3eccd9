// Runs, logs and sessions in the shapes their tools really write: what happened becomes one case, and a run without an end is none.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UserError } from '../../src/errors.js'
import { importFile } from '../../src/import/import-file.js'
import type { Imported } from '../../src/import/imported.js'
import { checkAssertion } from '../../src/pipeline/assert/compile.js'
import { makeFolder, viva } from '../support/run-cli.js'

const options = {
  expect: 'exact' as const,
  checkSpec: (spec: Record<string, unknown>): string[] => {
    const found = checkAssertion(spec, 'assert')
    return Array.isArray(found) ? found.map(({ message }) => message) : []
  },
}

const lines = (values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')

async function load(name: string, text: string): Promise<Imported> {
  return importFile(join(makeFolder({ [name]: text }), name), options)
}

const call = (name: string, args: object): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ function: { name, arguments: JSON.stringify(args) } }],
})
const CANCEL = { name: 'cancel_reservation', kwargs: { reservation_id: 'A1' } }
const HEAD = [
  { role: 'system', content: 'policy' },
  { role: 'user', content: 'Cancel A1' },
  call('cancel_reservation', { reservation_id: 'A1' }),
]
const DONE = { role: 'tool', content: 'done' }
const run = (...rest: object[]): object => ({
  task_id: 0,
  reward: 1,
  task: { user_id: 'u', instruction: 'Cancel.', actions: [CANCEL], outputs: [] },
  traj: [...HEAD, ...rest],
})

test.each<[what: string, runs: object, isWhole: boolean]>([
  ['the user is content', run(DONE, { role: 'user', content: 'Thanks ###STOP###' }), true],
  ['a person takes over', run(DONE, call('transfer_to_human_agents', {}), DONE), true],
  ['cut off after a person did not', run(DONE, call('transfer_to_human_agents', {}), DONE, HEAD[1] ?? {}), false],
  ['cut off after a call', run(DONE), false],
  ['cut off in a call', run(), false],
  ['cut off before the answer', run(DONE, { role: 'user', content: 'And B2?' }), false],
])('a run of tau-bench, %s', async (_, record, isWhole) => {
  const { cases } = await load('runs.jsonl', lines([record]))
  expect(cases[0]?.['skip'] === true).toBe(!isWhole)
  if (!isWhole) expect(cases[0]?.['skip_reason']).toContain('the run was cut off before its end')
})

test.each([
  ['user_stop', true],
  ['agent_stop', true],
  ['max_steps', false],
  ['too_many_errors', false],
])('a run of tau2 that ended with %s', async (reason, isWhole) => {
  const text = JSON.stringify({
    tasks: [
      {
        id: '0',
        user_scenario: { instructions: 'Cancel A1' },
        evaluation_criteria: { actions: [{ name: 'cancel_reservation', arguments: { reservation_id: 'A1' } }] },
      },
    ],
    simulations: [
      {
        task_id: '0',
        termination_reason: reason,
        reward_info: { reward: 1 },
        messages: [
          { role: 'user', content: 'Cancel A1' },
          { role: 'assistant', content: 'Done.' },
        ],
      },
    ],
  })
  const { cases } = await load('results.json', text)
  expect(cases[0]?.['skip'] === true).toBe(!isWhole)
})

test('a change of the database counts if it succeeded, and only then', async () => {
  const dir = makeFolder({
    'runs.jsonl': lines([run(DONE, { role: 'user', content: 'Thanks ###STOP###' })]),
    'agent.mjs': `const call = { name: 'cancel_reservation', args: { reservation_id: 'A1' } }
const reply = (...tool_calls) => () => ({ content: 'Done.', tool_calls })
export const works = reply({ ...call, result: 'done' })
export const again = reply({ ...call, error: 'busy' }, { ...call, result: 'done' })
export const fails = reply({ ...call, error: 'no such reservation' })
export const twice = reply({ ...call, result: 'done' }, { ...call, result: 'done' })
export const unknown = reply(call)
`,
  })
  await viva(['import', 'runs.jsonl', '-o', 'out'], { cwd: dir })
  const statuses = []
  for (const name of ['works', 'again', 'fails', 'twice', 'unknown']) {
    await viva(['test', '-i', 'out/tests', '-n', `./agent.mjs#${name}`, '-o', `${name}.jsonl`], { cwd: dir })
    const events = readFileSync(join(dir, `${name}.jsonl`), 'utf8').split('\n')
    const result = events.find((line) => line.includes('"type":"result"')) ?? '{}'
    statuses.push((JSON.parse(result) as { status?: string }).status)
  }
  // Whether the last one succeeded is not known, so it has not been shown.
  expect(statuses).toEqual(['passed', 'passed', 'failed', 'failed', 'failed'])
})

test('a session of Codex: the state of the program around what was said is passed over', async () => {
  const item = (payload: object): object => ({
    timestamp: '2026-01-01T00:00:00Z',
    ordinal: 1,
    type: 'response_item',
    payload: { internal_chat_message_metadata_passthrough: { turn_id: 't' }, ...payload },
    metadata: {},
  })
  const { cases, notes } = await load(
    'rollout.jsonl',
    lines([
      { type: 'session_meta', ordinal: 0, payload: { id: 'c1', cwd: '/work', cli_version: '0.1', originator: 'exec' } },
      { type: 'event_msg', payload: { type: 'task_started', turn_id: 't' } },
      { type: 'turn_context', payload: { turn_id: 't', cwd: '/work', model: 'm' } },
      item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: '<environment_context>x' }] }),
      item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Which files are here?' }] }),
      item({ type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: 'x', id: 'f' }),
      { type: 'token_usage_record', payload: { turn_id: 't', usage: { input_tokens: 1 } } },
      item({ type: 'function_call_output', call_id: 'x', output: 'a.txt' }),
      item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'One: a.txt' }] }),
    ]),
  )
  expect(notes.filter(({ kind }) => kind === 'lost')).toEqual([])
  expect(cases).toMatchObject([
    {
      id: 'c1',
      input: 'Which files are here?',
      assert: [
        { type: 'tool_called', name: 'exec_command' },
        { type: 'equals', value: 'One: a.txt' },
      ],
    },
  ])
  expect(cases[0]?.['skip']).toBeUndefined()
})

test('logs of Braintrust: the spans of a trace are one case, with the tools that were called', async () => {
  const span = { root_span_id: 'r', project_id: 'p', log_id: 'g', created: '2026-01-01', metrics: { start: 1 } }
  const { cases } = await load(
    'logs.jsonl',
    lines([
      { ...span, id: '1', span_id: 's1', span_attributes: { name: 'agent', type: 'task' }, input: 'Q', output: 'A' },
      {
        ...span,
        id: '2',
        span_id: 's2',
        span_parents: ['s1'],
        span_attributes: { name: 'find', type: 'tool' },
        input: { n: 7 },
        output: { ok: true },
      },
    ]),
  )
  expect(cases).toMatchObject([
    {
      id: '1',
      input: 'Q',
      assert: [
        { type: 'tool_called', name: 'find', arguments: { n: 7 } },
        { type: 'equals', value: 'A' },
      ],
    },
  ])
})

test('rows of a Braintrust dataset, as its SDK writes them', async () => {
  const { cases } = await load(
    'rows.jsonl',
    lines([{ id: '1', input: 'Capital?', expected: 'Paris', dataset_id: 'd', created: '2026-01-01' }]),
  )
  expect(cases).toMatchObject([{ id: '1', input: 'Capital?', assert: [{ type: 'equals', value: 'Paris' }] }])
})

test('a list of JSON is one, whatever the file is called', async () => {
  const { cases } = await load('data.jsonl', JSON.stringify([{ query: 'Capital?', ground_truth: 'Paris' }], null, 2))
  expect(cases).toMatchObject([{ input: 'Capital?', assert: [{ type: 'equals', value: 'Paris' }] }])
})

test('a file that is not JSON is refused in a few lines', async () => {
  const error: unknown = await load('data.jsonl', 'no JSON\n'.repeat(500)).catch((problem: unknown) => problem)
  expect(error).toBeInstanceOf(UserError)
  const { problems } = error as UserError
  expect(problems.length).toBeLessThan(20)
  expect(problems.at(-1)?.message).toBe('the lines after this one were not read')
})

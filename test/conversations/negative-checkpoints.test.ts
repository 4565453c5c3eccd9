// Checkpoints about what must not happen: reached at the end of the conversation, not on its first turn.
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

/** Says its lines one after another; a line is a text or a whole reply. */
const AGENT = `
export const run = (messages, context) => {
  const lines = context.metadata.lines
  const line = lines[messages.filter((message) => message.role === 'user').length - 1] ?? 'nothing more'
  return typeof line === 'string' ? { content: line, tool_calls: [] } : line
}`
/** Asks until the agent has said as many lines as it is told, then the goal is achieved. */
const USER = `
export const run = (messages, context, { metadata }) =>
  metadata.turn_count >= metadata.turns
    ? { content: { goal_achieved: true } }
    : { content: { input: 'go on, still ' + JSON.stringify(metadata.checkpoints_pending) } }`

interface Checkpoint {
  id: string
  reached: boolean
  reached_at_turn?: number
  message?: string
}

interface Outcome {
  status: string
  error?: string
  total_turns: number
  checkpoints: Checkpoint[]
  turns: Array<{ input: string }>
}

async function converse(lines: unknown[], checkpoints: object[], more: object = {}): Promise<Outcome> {
  const simulator = { use: './user.mjs#run', metadata: { turns: lines.length } }
  const testCase = { id: 'T1', input: 'hi', metadata: { lines }, simulator, checkpoints, max_turns: 6, ...more }
  const dir = makeFolder({ 'agent.mjs': AGENT, 'user.mjs': USER, 'cases.jsonl': [testCase] })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '--json'], { cwd: dir })
  const result = parseEvents(run.stdout).find((event) => event.type === 'result')
  if (!result) throw new Error(run.stderr)
  expect(run.code).toBe(result['status'] === 'passed' ? 0 : 1)
  return result as unknown as Outcome
}

const polite = { id: 'polite', assertion: { type: 'not_contains', value: 'shut up' } }
const call = (name: string): object => ({ content: 'done', tool_calls: [{ name, args: {} }] })

test.each<[string, unknown[], object[], object]>([
  ['what is said on a later turn counts', ['hello', 'shut up', 'bye'], [polite], { status: 'failed', total_turns: 3 }],
  ['it holds to the end', ['hello', 'well', 'bye'], [polite], { status: 'passed', total_turns: 3 }],
  [
    'a tool that is called on a later turn',
    ['hello', call('delete_user'), 'bye'],
    [{ id: 'safe', assertion: { type: 'tool_called', name: 'delete_*', negate: true } }],
    { status: 'failed', total_turns: 3 },
  ],
  [
    'at most two calls, over the whole conversation',
    [call('f'), call('f'), call('f')],
    [{ id: 'few', assertion: { type: 'tool_called', name: 'f', times: { max: 2 } } }],
    { status: 'failed', total_turns: 3 },
  ],
  [
    'none of several',
    ['hello', 'oops', 'bye'],
    [
      {
        id: 'clean',
        assertion: {
          type: 'none',
          assertions: [
            { type: 'contains', value: 'oops' },
            { type: 'regex', value: 'err' },
          ],
        },
      },
    ],
    { status: 'failed' },
  ],
  [
    'an optional one does not fail the case',
    ['hello', 'shut up', 'bye'],
    [
      { ...polite, required: false },
      { id: 'end', assertion: { type: 'contains', value: 'bye' } },
    ],
    { status: 'passed', total_turns: 3 },
  ],
])('%s', async (_, lines, checkpoints, expected) => {
  expect(await converse(lines, checkpoints)).toMatchObject(expected)
})

test('the error says when it happened, and what', async () => {
  const { error, checkpoints } = await converse(['hello', 'shut up'], [polite])
  expect(error).toBe('checkpoints not held: polite (turn 2: output contains "shut up": "shut up")')
  expect(checkpoints).toEqual([expect.objectContaining({ id: 'polite', reached: false })])
})

test('together with a checkpoint to reach, the conversation ends where that is reached', async () => {
  const end = { id: 'end', assertion: { type: 'contains', value: 'booked' } }
  const held = await converse(['hello', 'booked', 'shut up'], [polite, end])
  expect(held).toMatchObject({ status: 'passed', total_turns: 2 })
  expect(held.checkpoints.map(({ id, reached_at_turn }) => [id, reached_at_turn])).toEqual([
    ['polite', 2],
    ['end', 2],
  ])
  // The simulator learns what it can lead the agent to, and nothing else.
  expect(held.turns[1]?.input).toBe('go on, still ["end"]')
  const broken = await converse(['shut up', 'booked'], [polite, end])
  expect(broken).toMatchObject({ status: 'failed', total_turns: 2 })
})

test('what comes after one that holds is reached, and after one that is broken it is not', async () => {
  const booked = { id: 'booked', assertion: { type: 'contains', value: 'booked' }, after: ['polite'] }
  expect(await converse(['hello', 'booked'], [polite, booked])).toMatchObject({ status: 'passed', total_turns: 2 })
  const rude = await converse(['shut up', 'booked'], [polite, booked])
  expect(rude).toMatchObject({ status: 'failed', error: expect.stringContaining('missing checkpoints: booked') })
})

test('one that comes after another counts from there', async () => {
  const paid = { id: 'paid', assertion: { type: 'contains', value: 'paid' } }
  const quiet = { id: 'quiet', assertion: { type: 'tool_not_called', name: 'charge' }, after: ['paid'] }
  const done = { id: 'done', assertion: { type: 'contains', value: 'bye' } }
  expect(await converse([call('charge'), 'paid', 'bye'], [paid, quiet, done])).toMatchObject({ status: 'passed' })
  expect(await converse(['paid', call('charge'), 'bye'], [paid, quiet, done])).toMatchObject({ status: 'failed' })
})

test('one that reads a path is evaluated on the last answer', async () => {
  const open = { id: 'open', assertion: { type: 'json_path', path: '$.state', value: 'failed', negate: true } }
  expect(await converse(['hello', '{"state": "ok"}'], [open])).toMatchObject({ status: 'passed' })
  expect(await converse(['hello', '{"state": "failed"}'], [open])).toMatchObject({ status: 'failed' })
  expect(await converse(['hello', 'no state at all'], [open])).toMatchObject({ status: 'failed' })
})

test('a simulator that never achieves its goal is not waited for', async () => {
  const { status, error } = await converse(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], [polite])
  expect([status, error]).toEqual(['failed', expect.stringContaining('max turns (6) exceeded')])
})

test('with turns and no simulator the script is the conversation', async () => {
  const script = (lines: string[]): Promise<Outcome> =>
    converse(lines, [polite], { input: undefined, simulator: undefined, turns: [{ input: 'a' }, { input: 'b' }] })
  expect(await script(['hello', 'bye'])).toMatchObject({ status: 'passed', total_turns: 2 })
  expect(await script(['hello', 'shut up'])).toMatchObject({ status: 'failed', total_turns: 2 })
})

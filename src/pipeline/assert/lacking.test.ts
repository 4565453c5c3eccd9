// Where a run lacks the evidence that an assertion reads, it is an error that says so, negated or not.
import { expect, test } from 'vitest'
import { checkOne, workspaceOf } from '../../../test/support/assertions.js'
import type { FileReading } from '../../model/workspace.js'
import { compileAssertions } from './compile.js'

/** Those that a session in which nothing happened would keep, or break, by that alone. */
const OF_SOMETHING = [
  { type: 'iterations', max: 3 },
  { type: 'event_count', topic: 'a', max: 3 },
  { type: 'no_event', topic: 'a' },
  { type: 'event_schema', topic: 'a', schema: true },
  { type: 'hat_sequence', hats: ['a'] },
  { type: 'hat_transition', from: 'a', to: 'b' },
  { type: 'iteration_count', hat: 'a', max: 3 },
]
const SESSION = [
  { type: 'termination_reason', expected: 'MaxRuntime' },
  { type: 'event_occurred', topic: 'a' },
  { type: 'event_sequence', topics: ['a'] },
  ...OF_SOMETHING,
]
const WORKSPACE = [
  { type: 'file_exists', path: 'a' },
  { type: 'file_contains', path: 'a', pattern: 'x' },
  { type: 'file_not_contains', path: 'a', pattern: 'x' },
  { type: 'file_json', path: 'a', value: 1 },
  { type: 'scratchpad_contains', pattern: 'x' },
]
const STATE = [
  { type: 'state_equals', path: '$.a', value: 1 },
  { type: 'state_equals', path: '$.a', exists: false },
  { type: 'state_changed', paths: ['$.a'] },
  { type: 'state_changed', paths: [] },
]
const PROGRAM = [
  { type: 'exit_code', expected: 0 },
  { type: 'stdout_contains', pattern: 'x' },
  { type: 'stderr_contains', pattern: 'x' },
]

test.each([...SESSION, ...WORKSPACE, ...STATE, ...PROGRAM, { type: 'cost_within', max_dollars: 1 }])(
  '$type',
  async (spec) => {
    for (const negate of [false, true]) {
      const result = await checkOne({ ...spec, negate }, { output: 'x' })
      expect(result.passed).toBe(false)
      expect(result.error).toMatch(
        /^there is no (session|workspace|exit code|standard output|error output)|the (cost|state) is not/,
      )
      expect(result.error_kind).toBe('input')
    }
  },
)

test('a session that was cut short has no reason for its end', async () => {
  const session = { events: [], iterations: [{ n: 1, hat: 'a' }] }
  for (const negate of [false, true]) {
    const result = await checkOne({ type: 'termination_reason', expected: 'MaxRuntime', negate }, { session })
    expect(result.error).toBe('the session does not say why the run ended: it was cut short')
  }
})

const UNREADABLE: Array<[FileReading, string]> = [
  [{ kind: 'binary', bytes: 3 }, 'a is not text (3 bytes): it cannot be searched'],
  [{ kind: 'too_big', bytes: 9, limit: 4 }, 'a has 9 bytes, at most 4 can be searched'],
  [{ kind: 'folder' }, 'a is a folder, not a file'],
  [{ kind: 'refused', why: 'a leads outside the workspace' }, 'a leads outside the workspace'],
]

test.each(UNREADABLE)('a file that cannot be searched: %j', async (found, error) => {
  for (const type of ['file_contains', 'file_not_contains'])
    for (const negate of [false, true]) {
      const spec = { type, path: 'a', pattern: 'x', negate }
      expect(await checkOne(spec, {}, { workspace: workspaceOf({ a: found }) })).toMatchObject({ passed: false, error })
    }
})

test('what a folder or a link hides is not shown to be missing', async () => {
  const spec = { type: 'file_exists', path: 'a', negate: true }
  for (const found of [{ kind: 'folder' }, { kind: 'refused', why: 'a leads outside the workspace' }] as const) {
    const result = await checkOne(spec, {}, { workspace: workspaceOf({ a: found }) })
    expect(result).toMatchObject({ passed: false, error: expect.stringContaining('a ') as string })
  }
})

const PATHS = ['../x', '/etc/passwd', 'a/../../x', 'a\\b', 'C:\\x', 'C:x', 'a\0b', '', 'a/', 'a//b', 'x'.repeat(256)]

test.each(PATHS)('a path that leads out is a mistake of the case: %j', (path) => {
  for (const type of ['file_exists', 'file_contains', 'file_not_contains'])
    expect(() => compileAssertions([{ type, path, ...(type !== 'file_exists' && { pattern: 'x' }) }])).toThrow(
      /\.path: /,
    )
})

test.each([
  [{ type: 'iterations', min: 5, max: 2 }, 'can never pass'],
  [{ type: 'iterations' }, 'needs min, max or exact'],
  [{ type: 'event_sequence', topics: [] }, 'topics'],
  [{ type: 'file_contains', path: 'a', pattern: '.*' }, 'cannot fail'],
  [{ type: 'file_contains', path: 'a', pattern: '(' }, 'invalid regex'],
  [{ type: 'event_schema', topic: 'a', schema: { type: 'nope' } }, 'not a usable JSON Schema'],
  [{ type: 'snapshot_matches', snapshot_id: '../x' }, 'must match'],
  [{ type: 'snapshot_matches', snapshot_id: 'x', negate: true }, 'shows nothing'],
  [{ type: 'snapshot_matches', snapshot_id: 'x', redactions: { paths: ['$.files'] } }, 'hides every file'],
  [{ type: 'event_occured', topic: 'a' }, 'unknown assertion type'],
])('a mistake is found when the case is loaded: %j', (spec, message) => {
  expect(() => compileAssertions([spec])).toThrow(message)
})

test.each(OF_SOMETHING)('an empty session shows nothing: $type', async (spec) => {
  for (const negate of [false, true]) {
    const result = await checkOne({ ...spec, negate }, { session: { events: [], iterations: [] } })
    expect(result.passed).toBe(false)
  }
})

test('a session in which nothing but its start was published shows no absence', async () => {
  const start = { topic: 'task.start', payload: '', source: null, target: null, iteration: 0 }
  for (const spec of [
    { type: 'event_occurred', topic: 'build.done' },
    { type: 'event_sequence', topics: ['build.done'] },
  ])
    for (const events of [[], [start]]) {
      const negated = { ...spec, negate: true }
      expect((await checkOne(negated, { session: { events, iterations: [] } })).passed).toBe(false)
      expect((await checkOne(negated, { session: { events: [start], iterations: [{ n: 1, hat: 'a' }] } })).passed).toBe(
        true,
      )
    }
})

test('a count of none of a topic that no hat knows warns of the one that may be meant', async () => {
  const event = { topic: 'build.task', payload: '', source: 'a', target: null, iteration: 1 }
  const session = { events: [event], iterations: [{ n: 1, hat: 'a' }] }
  const warned: string[] = []
  const warn = (text: string) => warned.push(text)
  const result = await checkOne({ type: 'event_count', topic: 'biuld.task', exact: 0 }, { session }, { warn })
  expect([result.passed, result.expected, warned]).toEqual([
    true,
    'exactly 0',
    [expect.stringContaining('"build.task"')],
  ])
})

test('events of other topics neither keep nor break a contract', async () => {
  const events = [{ topic: 'b', payload: '{}', source: null, target: null, iteration: 1 }]
  const session = { events, iterations: [{ n: 1, hat: 'a' }] }
  const spec = { type: 'event_schema', topic: 'a', schema: { type: 'object' } }
  for (const each of [spec, { ...spec, negate: true }, { type: 'none', assertions: [spec] }])
    expect((await checkOne(each, { session })).passed).toBe(false)
})

test('what is not in the end of the error output may have been before it', async () => {
  const stderr = '… 9 bytes before this were not kept\nlast words\n'
  const found = await checkOne({ type: 'stderr_contains', pattern: 'last' }, { stderr })
  expect(found.passed).toBe(true)
  const missing = await checkOne({ type: 'stderr_contains', pattern: 'panic', negate: true }, { stderr })
  expect(missing.error).toContain('only the end of the error output was kept')
})

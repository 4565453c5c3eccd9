// What Ralph does, row by row. Rows that Viva treats differently are named here and in docs/compatibility.md.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { findReason, REASONS, TERMINATION_EXIT_CODES } from '../../src/model/termination.js'
import type { SessionRecord } from '../../src/model/session.js'
import { claudeReader } from '../../src/orchestrator/backends/claude.js'
import { loadProgram } from '../../src/orchestrator/backends/kinds.js'
import { Bus } from '../../src/orchestrator/bus.js'
import { isCompleted } from '../../src/orchestrator/completion.js'
import type { BackendChoice, Hat } from '../../src/orchestrator/hats.js'
import { parseEvents } from '../../src/orchestrator/parse-events.js'
import { parseSession } from '../../src/orchestrator/session/read-session.js'
import { GLOBAL, matchesTopic } from '../../src/base/topics.js'
import { ROOT } from '../support/run-cli.js'
import { dataOf, event, loop } from '../support/run-loop.js'

interface Row {
  area: string
  name: string
  // oxlint-disable-next-line typescript/no-explicit-any -- each area has rows of its own shape
  given: any
  // oxlint-disable-next-line typescript/no-explicit-any -- likewise
  expect: any
}

/** The data beside the checkout, where it is there; our own copy otherwise. */
const BESIDE = join(ROOT, '../shared/data/conformance/ralph')
const FOLDER = existsSync(BESIDE) ? BESIDE : join(ROOT, 'test/fixtures/orchestrator/conformance')

function rowsOf(area: string): Row[] {
  const text = readFileSync(join(FOLDER, `${area}.jsonl`), 'utf8')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
}

const areas = new Map<string, (row: Row) => void | Promise<void>>([
  ['topic_match', ({ given, expect: wanted }) => expect(matchesTopic(given.pattern, given.topic)).toBe(wanted.matches)],
  [
    'topic_global_wildcard',
    ({ given, expect: wanted }) => expect(given.pattern === GLOBAL).toBe(wanted.is_global_wildcard),
  ],
  [
    'event_parse',
    ({ given, expect: wanted }) =>
      expect(parseEvents(given.output, given.source_hat ?? null).events).toEqual(wanted.events),
  ],
  ['strip_event_tags', ({ given, expect: wanted }) => expect(parseEvents(given.output, null).rest).toBe(wanted.text)],
  [
    'promise_in_event_tags',
    ({ given, expect: wanted }) => {
      const { events } = parseEvents(given.output, null)
      expect(events.some(({ payload }) => payload.includes(given.promise))).toBe(wanted.in_tags)
    },
  ],
  [
    'promise_in_text',
    ({ given, expect: wanted }) =>
      expect(isCompleted(parseEvents(given.output, null), [], given.promise)).toBe(wanted.complete),
  ],
  ['strip_ansi', ({ given, expect: wanted }) => expect(stripVTControlCharacters(given.text)).toBe(wanted.text)],
  ['bus_publish', publishes],
  ['backend_argv', invokes],
  [
    'claude_stream_line',
    ({ given, expect: { event: said } }) => {
      const reader = claudeReader(() => {})
      reader.push(given.line)
      const { usage, cost_dollars } = reader.end()
      expect(cost_dollars).toBe(said.total_cost_usd)
      if (said.usage) expect(usage).toEqual({ input_tokens: 7, output_tokens: 2, total_tokens: 9 })
    },
  ],
  [
    'output_normalization',
    ({ given, expect: wanted }) => expect(stripVTControlCharacters(given.raw)).toBe(wanted.text),
  ],
  [
    'session_player',
    ({ given, expect: wanted }) => {
      const { records, problem } = parseSession(`${given.lines.join('\n')}\n`)
      expect(problem !== undefined).toBe(wanted.error ?? false)
      if (wanted.records !== undefined) expect(records).toHaveLength(wanted.records)
    },
  ],
  ['record_kind', readsRecord],
  [
    'termination_table',
    ({ given, expect: wanted }) => {
      const reason = findReason(given.reason)
      expect(reason).toBeDefined()
      expect(reason && TERMINATION_EXIT_CODES[reason]).toBe(wanted.exit_code)
      expect(findReason(wanted.loop_terminate_reason)).toBe(reason)
    },
  ],
  ['scripted_scenario', playsScenario],
])

/** Not the orchestrator's: the tests of the process runner and of the test tools read them. */
const ELSEWHERE = ['command_split', 'test_tools_spec']

const DIFFERENT: Record<string, string> = {
  'bus_publish: human.* goes to the human queue only':
    'there is no person in the loop: `human.*` is a topic like others',
  'bus_publish: human.* with target still human queue': 'the same',
  'backend_argv: pi headless': 'not one of the backends',
  'backend_argv: roo headless': 'not one of the backends; a custom command does it',
  'backend_argv: gemini interactive with initial prompt': 'backends are never interactive',
  'backend_argv: kiro headless backend run interactively': 'the same',
  'backend_argv: gemini headless backend run interactively': 'the same',
  'backend_argv: gemini headless': 'asked for structured output, in a folder that is not trusted yet',
  'backend_argv: prompt_mode is ignored for named backends': 'the same',
  'backend_argv: hat: codex --full-auto dropped':
    'asked for structured output, in a folder that need not be a repository',
  'backend_argv: hat: claude with args':
    'settings and tools of the user stay as they are: no --setting-sources, no --disallowedTools',
  'output_normalization: pi deltas concatenated, thinking dropped': 'not one of the backends',
  'termination_table: WorkspaceGone': 'a folder that is gone is the reason Error, which names it',
}

describe.each([...areas])('%s', (area, check) => {
  const rows = rowsOf(area)
  test.each(rows.filter(({ name }) => !Object.hasOwn(DIFFERENT, `${area}: ${name}`)))('$name', check)
})

test('no row is left out, and no difference is out of date', () => {
  const files = readdirSync(FOLDER).map((name) => name.replace('.jsonl', ''))
  expect(files.filter((area) => !areas.has(area) && !ELSEWHERE.includes(area))).toEqual([])
  const names = new Set([...areas.keys()].flatMap((area) => rowsOf(area).map(({ name }) => `${area}: ${name}`)))
  expect(Object.keys(DIFFERENT).filter((name) => !names.has(name))).toEqual([])
})

function publishes({ given, expect: wanted }: Row): void {
  const hats = given.hats.map((hat: { id: string; subscriptions: string[] }) => hatOf(hat.id, hat.subscriptions))
  const observed: string[][] = []
  const bus = new Bus(hats, [(_, recipients) => observed.push(recipients)])
  bus.publish({ payload: '', source: null, target: null, ...given.event })
  expect(observed).toEqual([wanted.recipients])
}

function hatOf(id: string, triggers: string[]): Hat {
  return { id, name: id, description: '', triggers, publishes: [], instructions: '' }
}

async function invokes({ given, expect: wanted }: Row): Promise<void> {
  const { backend = 'custom', ...rest } = given.cli ?? { backend: given.backend }
  const choice: BackendChoice = given.hat_backend ?? { type: backend, ...rest }
  const program = await loadProgram(choice.type)
  const { args, stdin = null } = program.invoke(given.prompt, choice.args ?? [], choice)
  expect({ command: choice.command ?? program.command, args, stdin }).toEqual({
    command: wanted.command,
    args: wanted.args,
    stdin: wanted.stdin,
  })
}

/** Ralph's data, read back; a nested record becomes a flat one. */
function readsRecord({ given, expect: wanted }: Row): void {
  const sample = wanted.line_shape ?? { ts: 1, event: given.event, data: SAMPLES[given.event] ?? {} }
  const { records, problem } = parseSession(`${JSON.stringify(sample)}\n`)
  expect(problem).toBeUndefined()
  const flat = wanted.shape_used_by_every_fixture ?? sample
  expect(records).toEqual([{ ts: sample.ts, event: flat.event, data: flat.data }])
}

const SAMPLES: Record<string, SessionRecord['data']> = {
  '_meta.loop_start': { prompt_file: '', max_iterations: 3, ux_mode: 'cli' },
  '_meta.termination': { reason: REASONS[0], iterations: 3, elapsed_secs: 1.5, ux_writes: 2 },
}

/** As its author means it. Ralph's own coordinator, which takes what no hat wants, is a hat that has to be written. */
async function playsScenario({ given, expect: { as_written: wanted } }: Row): Promise<void> {
  const hats = Object.fromEntries(
    Object.entries<{ subscribes_to: string[]; default_publishes?: string }>(given.config.hats).map(
      ([id, { subscribes_to: triggers, ...hat }]) => [id, { triggers, ...hat }],
    ),
  )
  const run = await loop({
    config: { hats: { ralph: { triggers: ['*'] }, ...hats } },
    limits: { max_iterations: given.config.max_iterations },
    mock_responses: given.mock_responses,
  })
  expect(run.iterations).toBe(wanted.iterations)
  expect(run.termination_reason === 'CompletionPromise').toBe(wanted.completion)
  const [, ...published] = dataOf(run.records, 'bus.publish').map(({ topic }) => topic)
  expect(published).toEqual(wanted.events.map(({ topic }: { topic: string }) => topic))
}

test('the first scenario of the test tools: an event of the last iteration is published', async () => {
  const run = await loop({
    limits: { max_iterations: 1 },
    mock_responses: [{ hat: 'planner', output: event('build.task', '…') }],
  })
  expect([run.exit_code, run.topics]).toEqual([2, ['task.start', 'build.task']])
})

// `viva agent test` and `--classic`: the console of the documents, byte for byte as the golden files have it.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { expectGolden } from '../support/golden.js'
import { type Files, makeFolder, viva, writeFiles } from '../support/run-cli.js'
import { onTerminal } from '../support/terminal.js'

const FIXTURES = fileURLToPath(new URL('../fixtures/seeds', import.meta.url))

interface Run {
  args: string[]
  /** Below the folder of fixtures; the working folder is `cwd` in it. */
  app?: string
  cwd?: string
  files?: Files
  /** Columns of a real terminal. */
  terminal?: number
  env?: Record<string, string>
  stdin?: string
  /** Runs that come first; theirs is not compared. */
  first?: string[][]
}

const AGENT = `
let calls = 0
export default async (messages) => {
  const text = messages.at(-1).content
  if (text.includes('throws')) return explode()
  if (text.includes('hangs')) return new Promise(() => setInterval(() => {}, 1000))
  if (text.includes('tool')) return { tool_calls: [{ name: 'refund', args: { amount: 30, note: 'two\\nlines' } }], content: '' }
  if (text.includes('json')) return { content: { amount: 30, items: ['a', 'b'] } }
  if (text.includes('sometimes')) { calls += 1; return calls % 2 === 1 ? 'yes' : 'no' }
  if (text.includes('asks')) return { content: 'Which one?', awaiting_input: true, input_hint: 'a number' }
  if (text.includes('long')) return Array.from({ length: 20 }, (_, line) => 'line ' + line).join('\\n')
  if (text.includes('silent')) return ''
  return 'you said: ' + text
}
function explode() {
  const error = new TypeError('the model is gone\\nsecond line')
  throw error
}
export const other = () => 'the other answer'
export const user = () => ({ message: 'go on', reasoning: 'still curious' })
export const lost = () => { throw new Error('the simulator is gone') }
export const judge = () => ({ passed: false, score: 0.2, reason: 'rude' })
export const dumb = () => 'no idea'
`

const contains = (value: string) => ({ type: 'contains', value })

const CASES = [
  { id: 'T001', name: 'A greeting', input: 'hello', assert: contains('hello') },
  { id: 'T002', name: '关键词提取 🙂', input: 'hello', assert: [contains('bye'), contains('hello')] },
  { id: 'T003', input: 'long', assert: contains('nothing') },
  { id: 'T004', input: 'x', skip: true, skip_reason: 'later' },
  { id: 'T005', input: 'throws' },
  { id: 'T006', input: 'hangs', timeout: '200ms' },
  { id: 'T007', input: 'tool', assert: { type: 'tool_called', name: 'refund', args: { amount: { $lt: 20 } } } },
  { id: 'T008', input: 'json', assert: { type: 'json_path', path: '$.amount', value: 20 } },
  { id: 'T009', input: 'hello', assert: { type: 'agent', use: './agent.mjs#judge', value: 'is polite' } },
  { id: 'T010', input: 'hello', assert: { type: 'agent', use: './agent.mjs#dumb', value: 'is polite' } },
  { id: 'T011', input: 'asks', turns: undefined },
  { id: 'T012', input: 'json', expected: { amount: 31, items: ['a', 'c'] } },
  { id: 'T013', input: 'silent', assert: contains('x') },
]

const TURNS = [
  { id: 'C1', name: 'Static', turns: [{ input: 'one', assertions: [contains('one')] }, { input: 'two' }] },
  {
    id: 'C2',
    turns: [{ input: 'one' }, { input: 'two', assertions: [contains('bye')] }, { input: 'three' }],
    final_assertions: [contains('three')],
  },
  { id: 'C3', turns: [{ input: 'asks' }], final_assertions: [contains('done')] },
  { id: 'C4', turns: [{ input: 'tool' }, { input: 'throws' }] },
  {
    id: 'D1',
    name: 'Dynamic',
    simulator: { use: './agent.mjs#user' },
    max_turns: 3,
    checkpoints: [
      { id: 'greets', description: 'says something', assertion: contains('you said') },
      { id: 'ends', assertion: contains('goodbye') },
      { id: 'thanks', required: false, assertion: contains('thank') },
    ],
  },
  {
    id: 'D2',
    simulator: { use: './agent.mjs#user' },
    checkpoints: [{ id: 'goes', assertion: contains('go on') }],
    assert: [contains('you said')],
  },
  { id: 'D3', simulator: { use: './agent.mjs#lost' }, checkpoints: [{ id: 'ends', assertion: contains('bye') }] },
  { id: 'D4', input: 'asks', simulator: { use: './agent.mjs#user' }, max_turns: 2, assert: contains('bye') },
]

const SCRIPT = `
export function TestPasses(t) { t.assert.Equal(1, 1) }
export function TestFails(t) { t.assert.Equal(1, 2, 'one is two') }
export function TestTwoFail(t) { t.assert.Equal({ a: 1 }, { a: 2 }); t.assert.True(false) }
export function TestThrows() { throw new Error('bad luck') }
export function TestSkips(t) { t.Skip('not today') }
export function TestLogs(t) { t.Log('hello'); t.assert.True(true) }
`

const files = { 'agent.mjs': AGENT, 'cases.jsonl': CASES, 'turns.jsonl': TURNS }
const many = Array.from({ length: 24 }, (_, at) => ({
  id: `M${at + 1}`,
  input: at % 6 === 5 ? 'asks' : 'hello',
  assert: contains(at % 4 === 3 ? 'bye' : 'hello'),
}))
const few = CASES.slice(0, 4)
const repeated = [...few.slice(0, 2), { id: 'S1', input: 'sometimes', assert: contains('yes') }, CASES[3]]
const on = (input: string, ...more: string[]): string[] => [
  '-i',
  input,
  '-n',
  './agent.mjs',
  '-o',
  'out.jsonl',
  ...more,
]
const script = { 'app.yao': '{}', 'agent/package.yao': '{}', 'agent/src/a.ts': '', 'agent/src/a_test.ts': SCRIPT }

const RUNS: Record<string, Run> = {
  cases: { args: on('cases.jsonl'), files },
  'cases-verbose': { args: on('cases.jsonl', '-v'), files },
  'cases-colour': { args: on('cases.jsonl'), files, env: { FORCE_COLOR: '1' } },
  'cases-terminal': { args: on('cases.jsonl'), files, terminal: 100 },
  'cases-narrow-terminal': { args: on('cases.jsonl', '-v'), files, terminal: 60 },
  few: { args: on('few.jsonl'), files: { ...files, 'few.jsonl': few } },
  'few-terminal': { args: on('few.jsonl'), files: { ...files, 'few.jsonl': few }, terminal: 80 },
  green: { args: on('green.jsonl'), files: { ...files, 'green.jsonl': few.slice(0, 1) } },
  'default-output': {
    args: ['-i', 'green.jsonl', '-n', './agent.mjs'],
    files: { ...files, 'green.jsonl': few.slice(0, 1) },
  },
  'fail-fast': { args: on('cases.jsonl', '--fail-fast'), files },
  turns: { args: on('turns.jsonl'), files },
  'turns-verbose': { args: on('turns.jsonl', '-v'), files },
  'turns-terminal': { args: on('turns.jsonl'), files, terminal: 100 },
  'turns-missing-input': { args: on('turns.jsonl', '--on-missing-input', 'fail'), files },
  many: { args: on('many.jsonl'), files: { ...files, 'many.jsonl': many } },
  'many-terminal': { args: on('many.jsonl'), files: { ...files, 'many.jsonl': many }, terminal: 100 },
  runs: { args: on('repeated.jsonl', '--runs', '5'), files: { ...files, 'repeated.jsonl': repeated } },
  'runs-verbose': { args: on('repeated.jsonl', '--runs', '2', '-v'), files: { ...files, 'repeated.jsonl': repeated } },
  'runs-enough': { args: on('repeated.jsonl', '--runs', '25'), files: { ...files, 'repeated.jsonl': repeated } },
  'runs-auto': {
    args: on('repeated.jsonl', '--runs', 'auto', '--max-runs', '30'),
    files: { ...files, 'repeated.jsonl': repeated },
  },
  'runs-terminal': {
    args: on('repeated.jsonl', '--runs', '3'),
    files: { ...files, 'repeated.jsonl': repeated },
    terminal: 90,
  },
  variants: { args: on('few.jsonl', '-n', './agent.mjs#other'), files: { ...files, 'few.jsonl': few } },
  'variants-runs': {
    args: on('few.jsonl', '-n', './agent.mjs#other', '--runs', '3'),
    files: { ...files, 'few.jsonl': few },
  },
  'variants-terminal': {
    args: on('few.jsonl', '-n', './agent.mjs#other'),
    files: { ...files, 'few.jsonl': few },
    terminal: 100,
  },
  message: { args: ['-i', 'hello', '-n', './agent.mjs'], files },
  'message-expected': { args: ['-i', 'hello', '-n', './agent.mjs', '--expected', 'bye'], files },
  'message-throws': { args: ['-i', 'it throws', '-n', './agent.mjs'], files },
  'message-verbose': { args: ['-i', 'hello', '-n', './agent.mjs', '-v'], files },
  'message-terminal': { args: ['-i', 'hello', '-n', './agent.mjs', '--expected', 'bye'], files, terminal: 80 },
  'report-on-stdout': {
    args: ['-i', 'few.jsonl', '-n', './agent.mjs', '-r', 'report.summary'],
    files: { ...files, 'few.jsonl': few },
  },
  'standard-input': { args: on('-'), files, stdin: few.map((item) => `${JSON.stringify(item)}\n`).join('') },
  'empty-shard': { args: on('green.jsonl', '--shard', '2/2'), files: { ...files, 'green.jsonl': few.slice(0, 1) } },
  'last-failed': {
    args: ['-i', 'few.jsonl', '-n', './agent.mjs', '-o', 'again.jsonl', '--last-failed'],
    files: { ...files, 'few.jsonl': few },
    first: [['-i', 'few.jsonl', '-n', './agent.mjs', '-o', 'out.jsonl']],
  },
  script: { args: ['-i', 'scripts.agent.a'], files: script },
  'script-verbose': { args: ['-i', 'scripts.agent.a', '-v'], files: script },
  'script-terminal': { args: ['-i', 'scripts.agent.a'], files: script, terminal: 80 },
  'script-runs': { args: ['-i', 'scripts.agent.a', '--runs', '2'], files: script },
  'seed-conversations': {
    app: 'conversations-app',
    cwd: 'assistants/expense',
    files: {
      'tests/flow.jsonl': [
        {
          id: 'T001',
          name: 'Expense Reimbursement Flow',
          turns: [
            { input: 'I want to submit an expense', assertions: [contains('type of expense')] },
            { input: 'Business travel, $3500', assertions: [{ type: 'tool_called', name: 'create_expense' }] },
            { input: 'Yes, confirm', assertions: [contains('submitted')] },
          ],
        },
        { id: 'T002', name: 'Large Expense Approval', turns: [{ input: 'Submit $100,000 equipment purchase' }] },
        {
          id: 'T003',
          name: 'Dynamic Expense Flow',
          input: 'Help me file an expense',
          simulator: { use: 'workers.test.user-sim' },
          final_assertions: [contains('submitted')],
        },
      ],
    },
    args: ['-i', 'tests/flow.jsonl', '-o', 'out.jsonl'],
  },
  'seed-commands': {
    app: 'commands-app',
    cwd: 'assistants/keyword',
    args: ['-i', 'tests/inputs.jsonl', '-o', 'out.jsonl'],
  },
  'dry-run': { args: ['-i', 'few.jsonl', '-n', './agent.mjs', '--dry-run'], files: { ...files, 'few.jsonl': few } },
  'error-missing-file': { args: on('nothing.jsonl'), files },
  'error-bad-cases': {
    args: on('bad.jsonl'),
    files: { ...files, 'bad.jsonl': Array.from({ length: 12 }, (_, at) => ({ id: `B${at}`, input: 1 })) },
  },
}

/** In a folder of its own each time: what an earlier run left behind would show. */
async function output(words: string[], run: Run): Promise<string> {
  const root = makeFolder()
  if (run.app !== undefined) cpSync(join(FIXTURES, run.app), root, { recursive: true })
  const cwd = run.cwd === undefined ? root : join(root, run.cwd)
  writeFiles(cwd, run.files ?? {})
  for (const args of run.first ?? []) await viva([...words, ...args], { cwd })
  if (run.terminal !== undefined) {
    const terminal = onTerminal([...words, ...run.args], { cwd, columns: run.terminal })
    const code = await terminal.code
    return timeless(`exit code ${code}\n--- terminal\n${terminal.screen()}`, root)
  }
  const options = { cwd, ...(run.env && { env: run.env }), ...(run.stdin !== undefined && { stdin: run.stdin }) }
  const { code, stdout, stderr } = await viva([...words, ...run.args], options)
  return timeless(`exit code ${code}\n--- stdout\n${stdout}--- stderr\n${stderr}`, root)
}

/** What no two runs have in common. */
function timeless(text: string, root: string): string {
  return (
    text
      .replaceAll(root, '<root>')
      .replaceAll(/\boutput-\d{14}/g, 'output-<now>')
      .replaceAll(/(?<![\w.])(?:\d+m)?\d+(?:\.\d+)?(?:ms|s)\b/g, '<time>')
      // The widths of a table's columns depend on its times.
      .replaceAll(/^ {2}(?:─+ {2}.*|.* Pass rate .*|\S.* {2}.*<time>.* {2}.*)$/gm, (line) =>
        line.replaceAll(/─+/g, '─').replaceAll(/(?<=\S) +/g, ' '),
      )
  )
}

test.each(Object.entries(RUNS))('%s', async (name, run) => {
  expectGolden(await output(['agent', 'test'], run), `classic/${name}.txt`)
})

// An older build has no such flag.
test
  .skipIf(process.env['VIVA_BIN'] !== undefined)
  .each(['few', 'turns-terminal', 'runs', 'message-expected', 'script'])('%s, with --classic', async (name) => {
  expectGolden(await output(['test', '--classic'], RUNS[name] ?? { args: [] }), `classic/${name}.txt`)
})

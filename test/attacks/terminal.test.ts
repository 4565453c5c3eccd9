// Text of strangers in every place that a terminal shows: none of it reaches the terminal as a command to it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, writeFiles, type Files } from '../support/run-cli.js'
import { onTerminal } from '../support/terminal.js'

/** Sets the clipboard, resets, asks where the cursor is (in 7 and 8 bits), and goes back over what was written. */
const EVIL = '\u001b]52;c;aGk=\u0007\u001bc\u001b[6n\u009b6n\u0090q\u0008'
// oxlint-disable-next-line no-control-regex
const REACHED = /.{0,30}(?:\u001b[^[]|\u001b\[[\d;?]*[^\d;?mABCDGHJKhl]|[\u0007\u0008\u007f-\u009f]).{0,10}/gs

/** Where it reached the terminal, with what stands before it. */
async function reached(args: string[], cwd: string, env: object = { CI: '1' }, columns = 400): Promise<string[]> {
  const terminal = onTerminal(args, { cwd, columns, env })
  await terminal.code
  expect(terminal.raw()).not.toBe('')
  return [...terminal.raw().matchAll(REACHED)].map(([text]) => JSON.stringify(text))
}

const evil = (word: string) => `${word}${EVIL}`
const AGENT = `
const EVIL = ${JSON.stringify(EVIL)}
const e = (word) => word + EVIL
const kinds = {
  answer: () => e('answer'),
  data: () => ({ [e('key')]: e('value') }),
  lines: () => e('first') + '\\n' + e('second') + '\\r\\n' + e('third'),
  async *stream() { yield 'a\\u001b'; yield ']52;c;aGk='; yield '\\u0007'; yield '\\u009b'; yield '6n' },
  tool: () => ({ content: 'ok', tool_calls: [{ name: e('tool'), args: { [e('arg')]: e('x') }, result: e('result'), error: e('error') }] }),
  thrown: () => { throw new Error(e('thrown')) },
  named: () => { throw Object.assign(new TypeError(e('named')), { name: e('name'), code: e('code'), stack: e('stack') }) },
  replied: () => ({ content: e('replied'), error: { message: e('error'), type: e('type') } }),
  logs: () => { console.log(e('log')); console.error(e('err')); process.stderr.write(e('raw')); return 'ok' },
  waits: () => ({ content: e('waits') + '?', awaiting_input: true, input_hint: e('hint') }),
  ends: () => ({ content: 'ok', finish_reason: e('ends') }),
  refuses: () => ({ content: null, refusal: e('refuses') }),
  spans: () => ({ content: 'ok', spans: [{ name: e('span'), attributes: { [e('a')]: e('b') } }] }),
  exits: () => { process.stderr.write(e('exits')); process.exit(3) },
  symbol: () => Promise.reject(e('rejected')),
}
export const run = (messages) => kinds[messages.at(-1).content.split(' ')[0]]?.() ?? 'ok'
export const judge = () => ({ passed: false, score: 0, reason: e('judged') })
export const broken = () => e('no verdict')
`
const WRONG = { type: 'contains', value: evil('wanted'), message: evil('message') }
const inputs = (kinds: string) => kinds.split(' ').map((input) => ({ input, assert: [WRONG] }))

const CASES: readonly object[] = [
  ...inputs('answer data lines stream tool thrown named replied logs waits ends refuses spans symbol exits'),
  {
    input: evil('input '),
    name: evil('title'),
    tags: [evil('tag')],
    assert: [{ type: 'equals', value: { [evil('k')]: 1 } }],
  },
  { input: 'answer', expected: evil('expected') },
  { input: 'answer', skip: true, skip_reason: evil('skipped') },
  { input: 'answer', assert: [{ type: 'regex', value: evil('pattern').replaceAll('[', '\\[') }] },
  { input: 'answer', assert: [{ type: 'tool_called', name: evil('called') }] },
  { input: 'data', assert: [{ type: 'json_path', path: '$["path\u009b6n"]', value: 1 }] },
  { input: 'answer', assert: [{ type: 'similar', value: evil('similar'), threshold: 0.99 }] },
  { input: 'answer', assert: [{ type: 'agent', use: './agent.mjs#judge', value: evil('criteria') }] },
  { input: 'answer', assert: [{ type: 'agent', use: './agent.mjs#broken', value: 'x' }] },
  { turns: [{ input: 'waits', assert: [{ type: 'contains', value: 'waits' }] }], final_assertions: [WRONG] },
  { turns: [{ input: 'tool' }, { input: 'answer', assert: [WRONG] }] },
  {
    input: 'answer',
    checkpoints: [{ id: 'c', description: evil('checkpoint'), assert: WRONG }],
    max_turns: 1,
    simulator: { use: './agent.mjs#run' },
  },
  { input: 'answer', metadata: { [evil('m')]: evil('n') }, description: evil('described'), assert: [WRONG] },
  { input: 'answer', user: evil('user'), team: evil('team'), assert: [WRONG] },
]

function folder(more: Files = {}): string {
  return makeFolder({
    'agent.mjs': AGENT,
    'cases.jsonl': CASES.map((given, index) => ({ id: `T${index}`, ...given })),
    'viva.config.json': {},
    ...more,
  })
}

const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run']

test('cases, answers and errors: verbose, classic, live and narrow', { timeout: 60_000 }, async () => {
  const ways: Array<[string[], object?, number?]> = [
    [[...RUN, '-v', '-o', 'a.jsonl']],
    [['agent', ...RUN, '-v', '-o', 'b.jsonl']],
    [[...RUN, '--parallel', '3', '-o', 'c.jsonl'], {}],
    [[...RUN, '-v', '-o', 'd.jsonl'], { GITHUB_ACTIONS: 'true', CI: '1' }, 40],
  ]
  const cwd = folder()
  const found = await Promise.all(ways.map(([args, env, columns]) => reached(args, cwd, env, columns)))
  expect(found).toEqual(ways.map(() => []))
  for (const name of ['a', 'b', 'c', 'd'])
    expect(parseEvents(readFileSync(join(cwd, `${name}.jsonl`), 'utf8')).at(-1)).toMatchObject({ total: CASES.length })
})

test('commands that read what a run has left behind', { timeout: 60_000 }, async () => {
  const cwd = folder()
  await Promise.all([
    viva([...RUN, '-o', 'a.jsonl', '--record', 'tape.yaml', '--history', '-U'], { cwd }),
    viva([...RUN, '-o', 'b.jsonl', '--run', 'T1'], { cwd }),
  ])
  const events = readFileSync(join(cwd, 'a.jsonl'), 'utf8')
  expect(events).toContain('answer')
  writeFiles(cwd, { ['odd\u009b6n.jsonl']: events, 'cut.jsonl': events.slice(0, -200) })
  const commands = [
    ['compare', 'a.jsonl', 'b.jsonl'],
    ['compare', 'b.jsonl', 'a.jsonl', '--format', 'markdown'],
    ['history'],
    ['history', 'flaky'],
    ['cassette', 'list', 'tape.yaml'],
    ['cassette', 'show', 'tape.yaml'],
    ['cassette', 'verify', 'tape.yaml'],
    ['report', 'cut.jsonl', '-o', 'cut.md'],
    ['report', 'odd\u009b6n.jsonl', '-o', 'odd.txt'],
    ['extract', 'a.jsonl', '-o', 'out\u009b6n'],
    [...RUN, '--dry-run'],
    ['estimate', '-i', 'cases.jsonl', '-n', './agent.mjs#run'],
    [...RUN, '--last-failed', '--dry-run', '-o', 'e.jsonl'],
    ['test', '-i', 'cases.jsonl', '-n', 'recorded:a.jsonl', '-v', '-o', 'f.jsonl'],
    [...RUN, '--replay', 'tape.yaml', '-v', '-o', 'g.jsonl'],
  ]
  const found = await Promise.all(commands.map((args) => reached(args, cwd)))
  expect(found.map((each, index) => [commands[index]?.join(' '), each])).toEqual(
    commands.map((args) => [args.join(' '), []]),
  )
})

test('mistakes that are quoted back', { timeout: 60_000 }, async () => {
  const word = evil('word').replaceAll('\u0000', '')
  const cwd = folder({
    'bad.jsonl': `{"id": "a", "asert\\u001b]52;c;x\\u0007": 1, "input": 7}\n`,
    'type.jsonl': [{ id: 'a', input: 'x', assert: [{ type: evil('type') }] }],
    'yaml.yaml': `- id: a\n  input: x\n  "k\\e]52;c;x\\a": [\n`,
    'agents/viva.config.json': { agents: { [evil('agent')]: 'builtin:echo' } },
    'promptfoo.yaml': {
      prompts: [evil('prompt')],
      providers: [evil('provider')],
      tests: [{ assert: [{ type: evil('t') }] }],
    },
    'cases.csv': `id,input,${evil('column')}\na,b,c\n`,
  })
  const commands = [
    [word],
    ['test', `--${word}`],
    ['test', '-i', word, '-n', word],
    ['test', '-i', `${word}.jsonl`, '-n', 'builtin:echo'],
    ['test', '-i', 'bad.jsonl', '-n', 'builtin:echo'],
    ['test', '-i', 'type.jsonl', '-n', 'builtin:echo'],
    ['test', '-i', 'yaml.yaml', '-n', 'builtin:echo'],
    ['test', '-i', 'cases.csv', '-n', 'builtin:echo'],
    ['test', '-i', 'hi', '-n', `exec:${word}`],
    ['test', '-i', 'hi', '-n', `./${word}.mjs#run`],
    ['test', '-i', 'hi', '-n', 'builtin:echo', '--timeout', word],
    ['test', '-i', 'hi', '-n', 'builtin:echo', '-r', word],
    ['test', '-i', 'hi', '-n', 'builtin:echo', '--run', `(${word}`],
    ['test', '-i', 'hi', '-n', 'builtin:echo', '-a', word],
    ['import', 'promptfoo.yaml', '-o', 'imported'],
    ['import', `${word}.yaml`],
    ['compare', `${word}.jsonl`, 'b.jsonl'],
    ['help', word],
    [word, '--help'],
    ['tool', word],
    ['tool', 'test_setup', `{"id": "${word}"`],
    ['schema', word],
    ['eject', word],
    ['emit', word],
    ['run', word, '--mock', `${word}.json`],
    ['doctor', word],
  ]
  const found = await Promise.all(commands.map((args) => reached(args, cwd)))
  expect(found.map((each, index) => [index, each])).toEqual(commands.map((_, index) => [index, []]))
})

test('a pipe has it as it is', async () => {
  const cwd = folder()
  const { stdout } = await viva(['test', '-i', evil('message'), '-n', 'builtin:echo'], { cwd })
  expect(stdout).toBe(`${evil('message')}\n`)
})

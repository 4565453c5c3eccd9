import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/case-files.js'
import { conformanceRows } from '../../../test/support/conformance.js'
import { UserError } from '../../errors.js'
import { detectInput, detectInputs, type InputKind } from './detect.js'

const nothing = { cwd: '.', exists: () => false }

test.each<[string, InputKind, string]>([
  ['scripts.expense.setup', 'script_test', 'scripts.expense.setup'],
  ['scripts.*', 'script_test', 'scripts.*'],
  ['agents:tests.generator', 'generator_agent', 'tests.generator'],
  ['scripts:tests.gen.make', 'generator_script', 'tests.gen.make'],
  ['agents:', 'generator_agent', 'viva.cases'],
  ['agents:?', 'generator_agent', 'viva.cases'],
  ['-', 'stdin', '-'],
  ['hello', 'message', 'hello'],
  ['and/or', 'message', 'and/or'],
  ['agents: what are they?', 'message', 'agents: what are they?'],
  ['scripts. And more', 'message', 'scripts. And more'],
  ['km/h', 'message', 'km/h'],
  ['/help', 'message', '/help'],
  ['\\alpha', 'message', '\\alpha'],
  ['node.js', 'message', 'node.js'],
  ['example.com', 'message', 'example.com'],
  ['feed.xml', 'message', 'feed.xml'],
  ['https://example.com/a/data.json', 'message', 'https://example.com/a/data.json'],
  ['what is in src/inputs', 'message', 'what is in src/inputs'],
  ['explain main.ts', 'message', 'explain main.ts'],
  ['e.g.', 'message', 'e.g.'],
])('%j is %s', (input, kind, value) =>
  expect(detectInput(input, nothing)).toEqual({ kind, value, files: [], params: {} }),
)

test('query values are typed', () => {
  const { params } = detectInput(
    'agents:g?count=10&ratio=0.5&on=true&off=false&focus=edge-cases&big=12345678901234567890&e=1e400&empty=',
    nothing,
  )
  expect(params).toEqual({
    count: 10,
    ratio: 0.5,
    on: true,
    off: false,
    focus: 'edge-cases',
    big: '12345678901234567890',
    e: '1e400',
    empty: '',
  })
})

test('a generator that is not named is the ready-made one; a script must be named', () => {
  expect(detectInput('agents:?count=2', nothing)).toEqual({
    kind: 'generator_agent',
    value: 'viva.cases',
    files: [],
    params: { count: 2 },
  })
  for (const input of ['scripts:', 'scripts:?count=2']) {
    expect(() => detectInput(input, nothing)).toThrow('scripts: names no script')
  }
})

test('a query cannot reach a prototype', () => {
  const { params } = detectInput('agents:g?__proto__=x', nothing)
  expect(Object.keys(params)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(params)).toBe(Object.prototype)
})

test('an existing file is a file whatever it is called, @ names one always', () => {
  const exists = { cwd: '.', exists: (path: string) => path === 'hello' || path === 'cases.jsonl' }
  expect(detectInput('hello', exists).kind).toBe('file')
  expect(detectInput('@hello', exists)).toEqual({ kind: 'file', value: 'hello', files: ['hello'], params: {} })
  expect(detectInput('cases.jsonl', exists).kind).toBe('file')
})

function failure(input: string, cwd: string): UserError {
  try {
    detectInput(input, { cwd })
  } catch (error) {
    if (error instanceof UserError) return error
  }
  throw new Error('expected a UserError')
}

test('a missing file says where it was looked for and what is there', () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'inputs.jsonl'), '')
  writeFileSync(join(dir, 'notes.txt'), '')
  expect(failure('input.jsonl', dir).message).toBe(
    `file not found: input.jsonl (looked for ${join(dir, 'input.jsonl')})`,
  )
  expect(failure('input.jsonl', dir).hint).toContain('did you mean inputs.jsonl?')
  expect(failure('completely-else.yaml', dir).hint).toContain(`case files in ${dir}: inputs.jsonl`)
  expect(failure('@nope', dir).message).toContain('file not found')
  expect(failure('no/such/x.json', dir).hint).toContain('there is no folder')
})

test('a folder is its case files, without what runs and packages keep there', () => {
  const dir = tempDir()
  const files: Record<string, string> = {
    'tests/b.yaml': '',
    'tests/a.jsonl': '',
    'tests/deep/er/c.CSV': '',
    'tests/output-20260101000000.jsonl': '',
    'tests/other.jsonl': '{"type":"start","format":1,"run_id":"r"}',
    'tests/cassette.yaml': 'format: 1\ninteractions: []\n',
    'tests/notes.txt': '',
    'tests/package.json': '{}',
    'tests/node_modules/x.json': '',
    'tests/.hidden/x.json': '',
    'app/package.yao': '{}',
    'app/prompts.yml': '',
    'app/src/data.json': '',
    'app/tests/t.jsonl': '',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
  const found = ['tests/a.jsonl', 'tests/b.yaml', 'tests/deep/er/c.CSV']
  for (const input of ['tests', './tests', '@tests', 'tests/']) {
    expect(detectInput(input, { cwd: dir })).toMatchObject({ kind: 'file', files: found })
  }
  expect(detectInput('app', { cwd: dir }).files).toEqual(['app/tests/t.jsonl'])
  expect(detectInput('tests/*.{jsonl,yaml}', { cwd: dir }).files).toEqual(found.slice(0, 2))
  expect(detectInput('**/?.jsonl', { cwd: dir }).files).toEqual(['app/tests/t.jsonl', 'tests/a.jsonl'])
  expect(detectInput(join(dir, 'tests/**'), { cwd: '/' }).files).toContain(join(dir, 'tests/b.yaml'))
  expect(detectInputs(['tests', 'tests/a.jsonl', 'app'], { cwd: dir }).files).toEqual([...found, 'app/tests/t.jsonl'])
  expect(() => detectInputs(['tests', 'hello'], { cwd: dir })).toThrow('"hello" is a message')
  expect(() => detectInputs(['tests', '-'], { cwd: dir })).toThrow('is standard input')
  expect(failure('tests/*.tsv', dir).message).toContain('no file matches tests/*.tsv')
  for (const message of ['why?', '2*3', 'a[0]', '*bold*', 'really?!', 'https://x.y/*.json'])
    expect(detectInput(message, { cwd: dir }).kind).toBe('message')
})

test('a folder without cases says so', () => {
  const dir = tempDir()
  mkdirSync(join(dir, 'tests'))
  expect(failure('tests', dir)).toMatchObject({ code: 'NO_CASE_FILES', message: 'no case file in tests' })
})

test.each([
  ['inputs.jsnl', 'tests/inputs.jsnl'],
  ['no ending', 'tests/inputs'],
  ['another ending', 'tests/inputs.csv'],
  ['a misspelt name', 'tests/inptus.jsonl'],
  ['a misspelt name without an ending', 'tests/inptus'],
  ['a misspelt folder', 'test/inputs.jsonl'],
  ['a blank after it', 'tests/inputs.jsonl '],
])('what was probably meant is named: %s', (_, input) => {
  const dir = tempDir()
  mkdirSync(join(dir, 'tests'))
  writeFileSync(join(dir, 'tests', 'inputs.jsonl'), '')
  const { code, hint } = failure(input, dir)
  expect({ code, hint }).toMatchObject({
    code: 'FILE_NOT_FOUND',
    hint: expect.stringContaining('did you mean tests/inputs.jsonl?'),
  })
})

test.each(['cases.csv', 'cases.ts', 'cases.ndjson', 'inputs.jsnl', 'inputs.ymal', './inputs', '../inputs'])(
  '%s is a file that is not there, in an empty folder too',
  (input) => expect(failure(input, tempDir()).code).toBe('FILE_NOT_FOUND'),
)

test.each(['', ' ', '\n'])('%j is no input', (input) => expect(failure(input, tempDir()).code).toBe('EMPTY_INPUT'))

const KINDS: Record<string, InputKind[]> = {
  agent: ['generator_agent'],
  // Script tests and script generators are two kinds here; the original has one word for both.
  script: ['script_test', 'generator_script'],
  file: ['file'],
  message: ['message'],
}

test.each(conformanceRows('input_source', 'input_source'))('conformance: $name', ({ given, expect: expected }) => {
  const found = detectInput(String(given['input']), nothing)
  expect(KINDS[String(expected['type'])]).toContain(found.kind)
  expect(found.value).toBe(expected['value'])
  expect(found.params).toEqual(expected['params'] ?? {})
})

test.each(conformanceRows('input_source', 'detect_input_mode'))('conformance: $name', ({ given, expect: expected }) => {
  const input = String(given['input'])
  const exists = given['exists'] === true || input.endsWith('.jsonl')
  expect(KINDS[String(expected['mode'])]).toContain(detectInput(input, { cwd: '.', exists: () => exists }).kind)
})

test.each(conformanceRows('input_source', 'eval_positional_input'))(
  'conformance: $name',
  ({ given, expect: expected }) => {
    expect(() => detectInput(String(given['input']), nothing)).toThrow(String(expected['error_contains']))
  },
)

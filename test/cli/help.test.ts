// Help with examples, completion scripts that shells accept, schemas that accept what they should.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, ROOT, viva } from '../support/run-cli.js'

const COMMANDS = ['test', 'init', 'report', 'compare', 'extract', 'view', 'history', 'schema', 'eject', 'completion']

test('without words, and with --help: the commands and where to start', async () => {
  const bare = await viva([], { cwd: makeFolder() })
  expect([bare.code, bare.stdout]).toEqual([2, ''])
  const help = await viva(['--help'], { cwd: makeFolder() })
  expect([help.code, help.stderr]).toEqual([0, ''])
  for (const text of [bare.stderr, help.stdout]) {
    for (const name of COMMANDS) expect(text).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    expect(text).toContain('$ viva init my-agent')
  }
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  expect(await viva(['--version'], { cwd: makeFolder() })).toMatchObject({ code: 0, stdout: `${version}\n` })
})

test('every command shows examples, which are commands it understands', async () => {
  for (const name of COMMANDS) {
    const { code, stdout } = await viva([name, '--help'], { cwd: makeFolder() })
    expect([name, code]).toEqual([name, 0])
    const examples = stdout.slice(stdout.indexOf('Examples:')).match(/^ {2}\$ viva .+$/gm) ?? []
    expect([name, examples.length > 0]).toEqual([name, true])
    for (const example of examples) {
      const flags = example.match(/ (--?[a-z][a-z-]*)/g) ?? []
      for (const flag of flags) expect(stdout.slice(0, stdout.indexOf('Examples:'))).toContain(flag.trim())
    }
  }
})

test('every flag of the specification is there', async () => {
  const { stdout } = await viva(['test', '--help'], { cwd: makeFolder() })
  const flags = `-i, --input;-o, --output;-n, --name;-c, --connector;-u, --user;-t, --team;--ctx;--locale;-r, --reporter;--runs;--run;
    --timeout;--parallel;--fail-fast;-v, --verbose;--dry-run;--simulator;--interactive;--skip-interactive;--on-missing-input;--before;--after;
    --json;--retries;--resume;--shard;--max-cost;--min-pass-rate;-a, --app;--tag;--strict;--allow-outside;--save-turns;--coverage;--confidence;
    --max-runs;--history;--pass-env;--force`
  for (const flag of flags.split(';')) expect(stdout).toContain(`  ${flag.trim()} `.trimEnd())
})

test('help fits a narrow terminal and has no colour when piped', async () => {
  const { stdout } = await viva(['test', '--help'], { cwd: makeFolder() })
  expect(
    Math.max(
      ...stdout
        .slice(0, stdout.indexOf('Examples:'))
        .split('\n')
        .map((line) => line.length),
    ),
  ).toBeLessThanOrEqual(80)
  expect(stdout).not.toContain('\u001b')
})

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0

test.each([
  ['bash', ['-n']],
  ['zsh', ['-n']],
  ['fish', ['--no-execute']],
])('the completion script for %s', async (name, check) => {
  const { code, stdout } = await viva(['completion', name], { cwd: makeFolder() })
  expect(code).toBe(0)
  for (const word of [...COMMANDS, 'fail-fast', 'viva.judge', 'skip']) expect(stdout).toContain(word)
  if (!has(name)) return
  expect(spawnSync(name, check, { input: stdout, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
})

test('bash completes commands, flags and values', async () => {
  const { stdout: script } = await viva(['completion', 'bash'], { cwd: makeFolder() })
  const complete = (...words: string[]): string[] => {
    const list = words.map((word) => `'${word}'`).join(' ')
    const line = `${script}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _viva; printf '%s\\n' "\${COMPREPLY[@]}"`
    return spawnSync('bash', ['-c', line], { cwd: makeFolder(), encoding: 'utf8' })
      .stdout.split('\n')
      .filter((word) => word !== '')
  }
  expect(complete('viva', 'te')).toEqual(['test'])
  expect(complete('viva', 'test', '--fail')).toEqual(['--fail-fast', '--fail-on-flaky', '--fail-on-vacuous'])
  expect(complete('viva', 'agent', 'test', '--par')).toEqual(['--parallel'])
  expect(complete('viva', 'test', '--on-missing-input', 's')).toEqual(['skip'])
  expect(complete('viva', 'schema', 'c')).toEqual(['case', 'cases', 'cassette', 'config'])
})

async function schemaOf(what: string): Promise<(value: unknown) => boolean> {
  const { code, stdout } = await viva(['schema', what], { cwd: makeFolder() })
  expect(code).toBe(0)
  return new Ajv2020({ strict: false, allErrors: true }).compile(JSON.parse(stdout) as object)
}

const linesOf = (path: string): unknown[] =>
  readFileSync(join(ROOT, path), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as unknown)

test('viva schema case accepts the examples and refuses the usual slips', async () => {
  const valid = await schemaOf('case')
  for (const path of ['examples/expense/tests/inputs.jsonl', 'examples/keyword/tests/inputs.jsonl'])
    for (const line of linesOf(path)) expect([line, valid(line)]).toEqual([line, true])
  for (const wrong of [
    { input: 'x' },
    { id: 'a', input: 3 },
    { id: 'a', input: 'x', timeout: '30d' },
    { id: 'a', input: 'x', skip: 'no' },
    { id: 'a', input: 'x', max_turns: 1001 },
  ])
    expect([wrong, valid(wrong)]).toEqual([wrong, false])
})

test('viva schema config', async () => {
  const valid = await schemaOf('config')
  const config = {
    defaults: { parallel: 4 },
    agents: { bot: { target: 'builtin:echo' }, short: './a.ts#run' },
    prices: { m: { input: 1, output: 2 } },
  }
  expect(valid(config)).toBe(true)
  expect(valid({ agents: { bot: { traget: 'x' } } })).toBe(false)
  expect(valid({ agents: { bot: { target: 'x', headers: { a: 1 } } } })).toBe(false)
  expect(valid({ defaults: { parallel: 0 } })).toBe(false)
  expect(valid({ defaults: { paralel: 4 } })).toBe(false)
})

test('viva schema result accepts every line of a run', async () => {
  const valid = await schemaOf('result')
  const dir = makeFolder({
    'cases.jsonl': [
      { id: 'a', input: 'x', assert: { type: 'contains', value: 'x' } },
      { id: 'b', input: 'x', expected: 'y' },
      { id: 'c', input: 'x', skip: true },
      { id: 'd', turns: [{ input: 'one' }, { input: 'two' }] },
    ],
  })
  const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--runs', '2', '--json'], {
    cwd: dir,
  })
  const events = parseEvents(stdout)
  expect(new Set(events.map((event) => event.type))).toEqual(
    new Set(['start', 'case_start', 'result', 'stability', 'summary']),
  )
  for (const event of events) expect([event, valid(event)]).toEqual([event, true])
  expect(valid({ type: 'result', id: 'a', status: 'ok' })).toBe(false)
})

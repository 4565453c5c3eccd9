// Agents that are programs: they hang, fork, leave, flood, look around in the environment. Nothing of them stays.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { makeFolder, viva, type CliRun } from '../support/run-cli.js'
import { AGENTS, checkRun, linesOf } from './support.js'
import { onLinux } from '../support/systems.js'

interface Tried extends CliRun {
  result: ResultEvent
  results: ResultEvent[]
  peakMb: number
}

interface Options {
  case?: object
  cases?: object[]
  args?: string[]
  env?: Record<string, string>
  dir?: string
}

async function tryAgent(agent: string, options: Options = {}): Promise<Tried> {
  const cases = options.cases ?? [{ id: 'T1', input: 'hi', ...options.case }]
  const dir = options.dir ?? makeFolder()
  const text = cases.map((item) => JSON.stringify(item)).join('\n')
  const args = ['test', '-i', '-', '-n', agent, '-o', 'o.jsonl', '--force', ...(options.args ?? [])]
  const hook = { NODE_OPTIONS: `--import=${AGENTS}peak-memory.mjs`, PEAK_FILE: join(dir, 'peak') }
  const run = await viva(args, { cwd: dir, env: { ...hook, ...options.env }, stdin: text })
  expect(run.stderr).not.toContain('bug')
  const { results } = checkRun(join(dir, 'o.jsonl'), { complete: true })
  const [result] = results
  if (!result) throw new Error(`no result: ${run.stderr}`)
  return { ...run, result, results, peakMb: Number(readFileSync(join(dir, 'peak'), 'utf8')) }
}

/** Processes of which the command line has this text; the seconds of each program's `sleep` are its own. */
function alive(text: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(text) && !line.trimStart().startsWith('Z'))
}

/** A copy of a program whose `sleep`s are not those of other tests. */
function ownCopy(dir: string, name: string, digits: string): string {
  const path = join(dir, name)
  const text = readFileSync(join(AGENTS, name), 'utf8').replaceAll('864', `864${digits}`)
  execFileSync('tee', [path], { input: text, stdio: ['pipe', 'ignore', 'ignore'] })
  chmodSync(path, 0o755)
  return path
}

onLinux('ignores SIGTERM, forks, leaves the group: gone after its time, and what had escaped is named', async () => {
  const dir = makeFolder()
  const agent = ownCopy(dir, 'forks.sh', '77')
  const { code, result } = await tryAgent(`exec:${agent}`, { dir, case: { timeout: '2s' } })
  expect(code).toBe(1)
  expect(result).toMatchObject({ error: 'timeout after 2s', error_kind: 'timeout', leaked: ['sleep 8647703'] })
  for (const seconds of ['8647701', '8647702', '8647703']) expect(alive(`sleep ${seconds}`)).toEqual([])
})

onLinux('answers and leaves something behind: the answer counts, the rest is ended and named', async () => {
  const dir = makeFolder()
  const holding = await tryAgent(`exec:${ownCopy(dir, 'holds-stdout.sh', '78')}`, { dir, case: { expected: 'answer' } })
  expect(holding).toMatchObject({ code: 0, result: { output: 'answer', leaked: ['sleep 8647805'] } })
  const daemon = await tryAgent(`exec:${ownCopy(dir, 'daemon.sh', '79')}`, { dir, case: { expected: 'answer' } })
  expect(daemon).toMatchObject({ code: 0, result: { output: 'answer', leaked: ['sleep 8647904'] } })
  expect([...alive('sleep 8647805'), ...alive('sleep 8647904')]).toEqual([])
  expect(daemon.stdout).toContain('left processes behind')
})

test('late: ended at the deadline, and what it would have written later is never written', async () => {
  const dir = makeFolder()
  const { result } = await tryAgent(`exec:${ownCopy(dir, 'late.sh', '80')}`, { dir, case: { timeout: '1s' } })
  expect(result).toMatchObject({ error: 'timeout after 1s', error_kind: 'timeout' })
  expect(alive('sleep 8648006')).toEqual([])
  expect(existsSync(join(dir, 'late-write.txt'))).toBe(false)
})

test('says nothing, dies, fails, does not listen: each is what it is', async () => {
  const silent = await tryAgent(`exec:${AGENTS}exit0-silent.sh`, { case: { expected: '' } })
  expect(silent).toMatchObject({ code: 0, result: { status: 'passed', output: '' } })
  const killed = await tryAgent(`exec:${AGENTS}self-kill.sh`)
  expect(killed.result).toMatchObject({ error: 'agent error: killed by SIGKILL', error_kind: 'crashed' })
  const failing = await tryAgent(`exec:${AGENTS}fails.sh`)
  expect(failing.result).toMatchObject({
    error: 'agent error: exit code 7: the model file is missing',
    exit_code: 7,
    output: 'half an answer',
    stderr: 'the model file is missing\n',
  })
  const deaf = await tryAgent(`exec:${AGENTS}no-read.sh`, { case: { input: 'x'.repeat(1024 * 1024) } })
  expect(deaf).toMatchObject({ code: 0, result: { output: 'did not listen' } })
})

test('a flood is stopped at the limit, bytes that are not text are kept as base64', async () => {
  const flood = await tryAgent(`exec:node ${AGENTS}huge.mjs`, {
    cases: Array.from({ length: 4 }, (_, n) => ({ id: `T${n}`, input: 'hi' })),
    env: { AGENT_MB: '700' },
    args: ['--pass-env', 'AGENT_MB', '--parallel', '4'],
  })
  for (const result of flood.results)
    expect(result).toMatchObject({ status: 'failed', error: expect.stringContaining('larger than 16 MB') })
  expect(flood.peakMb).toBeLessThan(400)
  const garbage = await tryAgent(`exec:${AGENTS}garbage.sh`, { args: ['-o', 'o.json', '-o', 'o.xml'] })
  expect(garbage.result).toMatchObject({ status: 'passed', output_encoding: 'base64' })
  JSON.parse(readFileSync(join(garbage.dir, 'o.json'), 'utf8'))
})

test('what the prompt says is never a command, an option or a file name', async () => {
  const prompts = [
    '$(touch canary)',
    '`touch canary`',
    '; touch canary',
    '| touch canary',
    '--help',
    '-rf /',
    '* ? ~',
    'it\'s\n"so"',
  ]
  const dir = makeFolder({
    'viva.config.json': {
      agents: {
        arg: { target: `exec:node ${AGENTS}arguments.mjs`, prompt_mode: 'arg' },
        input: `exec:node ${AGENTS}arguments.mjs`,
      },
    },
  })
  const cases = prompts.map((input, index) => ({ id: `T${index}`, input }))
  const byArgument = await tryAgent('arg', { dir, cases, args: ['--parallel', '4'] })
  const seen = (result: ResultEvent) => result.output as { argv: string[]; input: string }
  const arguments_ = Object.fromEntries(byArgument.results.map((result) => [result.id, seen(result).argv.at(-1)]))
  expect(arguments_).toEqual(Object.fromEntries(cases.map(({ id, input }) => [id, input])))
  const byInput = await tryAgent('input', { dir, cases, args: ['--parallel', '4'] })
  for (const result of byInput.results) {
    expect(seen(result).argv).toEqual([])
    expect(JSON.parse(seen(result).input)).toMatchObject({ messages: [{ role: 'user', content: result.input }] })
  }
  expect(existsSync(join(dir, 'canary'))).toBe(false)
})

test('the environment is not handed over, but for what is named; that is hidden in every file', async () => {
  const env = {
    CANARY_TOKEN: 'canary-5b1f-value',
    GIT_DIR: '/nowhere/.git',
    npm_config_registry: 'x',
    LD_PRELOAD_X: 'x',
    BASH_ENV: '/nowhere',
  }
  const plain = await tryAgent(`exec:${AGENTS}env.sh`, { env })
  expect(String(plain.result.output)).not.toMatch(/CANARY_TOKEN|GIT_DIR=|npm_|LD_|BASH_ENV|NODE_OPTIONS|PEAK_FILE/)
  expect(String(plain.result.output)).toMatch(/^PATH=/m)
  const assert = { type: 'contains', value: 'CANARY_TOKEN=canary-5b1f-value' }
  const named = await tryAgent(`exec:${AGENTS}env.sh`, { env, case: { assert }, args: ['--pass-env', 'CANARY_TOKEN'] })
  expect(named.code).toBe(0)
  expect(readFileSync(join(named.dir, 'o.jsonl'), 'utf8') + named.stdout + named.stderr).not.toContain(
    'canary-5b1f-value',
  )
})

test("an agent's git never acts on the repository around it", async () => {
  const dir = makeFolder()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: dir, encoding: 'utf8' })
  git('init', '-q', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'outer')
  const before = [git('rev-parse', 'HEAD'), git('ls-files'), readFileSync(join(dir, '.git/config'), 'utf8')]
  const inner = join(dir, 'inner')
  mkdirSync(inner)
  const env = { GIT_DIR: join(dir, '.git'), GIT_INDEX_FILE: join(dir, '.git/index'), GIT_WORK_TREE: dir }
  const { result } = await tryAgent(`exec:${AGENTS}git.sh`, { dir: inner, env })
  expect(result.output).toBe('committed')
  expect([git('rev-parse', 'HEAD'), git('ls-files'), readFileSync(join(dir, '.git/config'), 'utf8')]).toEqual(before)
  expect(existsSync(join(inner, '.git'))).toBe(true)
})

test('a program that is not there, or must not run, is named before anything starts', async () => {
  const dir = makeFolder({ 'agent.sh': 'echo hi', 'cases.jsonl': [{ id: 'T1', input: 'hi' }] })
  for (const [agent, message] of [
    ['exec:./missing.sh', /missing\.sh does not exist/],
    ['exec:./agent.sh', /is not executable/],
    ['exec:no-such-command-at-all', /not on PATH/],
    ['exec:', /no command/],
  ] as const) {
    const { code, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', agent, '-o', 'o.jsonl'], { cwd: dir })
    expect({ agent, code, stderr }).toEqual({ agent, code: 2, stderr: expect.stringMatching(message) })
  }
  expect(existsSync(join(dir, 'o.jsonl'))).toBe(false)
})

onLinux('no secret is an argument of any process', async () => {
  const dir = makeFolder({
    'agent.sh': '#!/bin/sh\ncat > /dev/null\ncat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " " > seen\necho ok\n',
  })
  chmodSync(join(dir, 'agent.sh'), 0o755)
  const env = { MY_API_KEY: 'canary-in-argv-91' }
  const { code } = await tryAgent('exec:./agent.sh', { dir, env, args: ['--pass-env', 'MY_API_KEY'] })
  expect(code).toBe(0)
  const seen = linesOf(join(dir, 'seen')).join('\n')
  expect(seen).toContain('agent.sh')
  expect(seen).not.toContain('canary-in-argv-91')
})

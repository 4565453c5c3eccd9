// kill -9: what was announced is on disk, --resume runs only the rest, and the reports look as if nothing had happened.
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { currentHolder } from '../../src/process/holder.js'
import { makeFolder, startViva, viva, type CliRun } from '../support/run-cli.js'
import { AGENTS, checkRun, linesOf, manyCases, markedBy, readRun, shownIds, timeless, until } from './support.js'
import { onLinux } from '../support/systems.js'

const OUTPUTS = ['-o', 'out.jsonl', '-o', 'out.json', '-o', 'out.md']

function folderWith(cases: object[]): string {
  const dir = makeFolder({ 'cases.jsonl': cases })
  copyFileSync(join(AGENTS, 'counting.mjs'), join(dir, 'agent.mjs'))
  return dir
}

function run(dir: string, args: string[], env: Record<string, string> = {}): Promise<CliRun> {
  return viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', ...OUTPUTS, ...args], { cwd: dir, env })
}

/** Sorted: order is what runs with several at once may differ in, besides that number itself. */
function report(dir: string, name: string): string {
  const text = timeless(readFileSync(join(dir, name), 'utf8'))
    .replaceAll(dir, '<folder>')
    .replaceAll(/"parallel":\s*\d+/g, '"parallel":1')
  if (name.endsWith('.md')) return text.split('\n').toSorted().join('\n')
  const document = JSON.parse(text) as { results: Array<{ id: string }> }
  document.results.sort((a, b) => (a.id < b.id ? -1 : 1))
  return JSON.stringify(document)
}

async function killAndResume(dir: string, args: string[], killAt: number): Promise<void> {
  const killed = await run(dir, args, { KILL_AT: String(killAt) })
  expect(killed.code).toBeNull()
  const before = checkRun(join(dir, 'out.jsonl'), { tornOk: true })
  const done = new Set(before.results.map(({ id, run: n }) => `${id}#${n}`))
  // Under load lines are written in batches: the first ones may not have been, but then they were not announced either.
  if (killAt > 100) expect(done.size).toBeGreaterThan(0)
  expect(before.summary).toBeUndefined()
  const ids = new Set(before.results.map((result) => result.id))
  expect(shownIds(killed.stdout).filter((id) => !ids.has(id))).toEqual([])

  const firstCalls = linesOf(join(dir, 'calls.log'))
  expect(firstCalls.length).toBe(killAt)
  const { code, stderr } = await viva(['test', '--resume', 'out.jsonl'], { cwd: dir })
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(/error|warning/) })
  const after = checkRun(join(dir, 'out.jsonl'), { complete: true })
  // Every case has its result, and only what had none was run again.
  const again = linesOf(join(dir, 'calls.log')).slice(killAt)
  expect(again.length).toBe(after.results.length - done.size)
  expect(JSON.stringify(after.results.slice(0, done.size)) === JSON.stringify(before.results)).toBe(true)
}

describe('1,500 cases', () => {
  const cases = manyCases(1_500)
  let whole: Promise<{ json: string; md: string }> | undefined

  test.for([
    [1_111, 1],
    [777, 8],
  ] as const)('killed at call %i, with %i at once', async ([killAt, parallel]) => {
    const dir = folderWith(cases)
    await killAndResume(dir, ['--parallel', String(parallel)], killAt)
    const { json, md } = await (whole ??= reference(cases, []))
    // Not toBe: the difference of two texts of this size takes minutes to print.
    expect(report(dir, 'out.json') === json).toBe(true)
    expect(report(dir, 'out.md') === md).toBe(true)
  })
})

test('killed before anything was finished: the file has its start, and the whole run is still to do', async () => {
  const dir = folderWith(manyCases(5))
  expect((await run(dir, [], { KILL_AT: '1' })).code).toBeNull()
  expect(readRun(join(dir, 'out.jsonl')).start).toBeDefined()
  expect((await viva(['test', '--resume', 'out.jsonl'], { cwd: dir })).code).toBe(0)
  expect(checkRun(join(dir, 'out.jsonl'), { complete: true }).results.length).toBe(5)
})

test('killed with --runs 3: finished runs are kept, the statistics are those of an undisturbed run', async () => {
  const cases = manyCases(150)
  const whole = await reference(cases, ['--runs', '3'])
  for (const killAt of [2, 449]) {
    const dir = folderWith(cases)
    await killAndResume(dir, ['--runs', '3'], killAt)
    expect(report(dir, 'out.json')).toBe(whole.json)
    expect(report(dir, 'out.md')).toBe(whole.md)
  }
})

test('killed again and again, from outside, while a case runs', async () => {
  const dir = folderWith(manyCases(40))
  const first = ['-i', 'cases.jsonl', '-n', './agent.mjs#answer', '-o', 'out.jsonl']
  let done = 0
  let calls = 0
  for (const hangAt of [5, 10, 2]) {
    const args = ['test', ...(calls === 0 ? first : ['--resume', 'out.jsonl'])]
    const started = startViva(args, { cwd: dir, env: { HANG_AT: String(hangAt) } })
    done += hangAt - 1
    calls += hangAt
    await started.saw(`[T${String(done).padStart(5, '0')}]`)
    await until(() => linesOf(join(dir, 'calls.log')).length === calls, 'the next case runs')
    started.process.kill('SIGKILL')
    const { stdout, code } = await started.done
    expect(code).toBeNull()
    const { results } = checkRun(join(dir, 'out.jsonl'), { tornOk: true })
    expect(results.map((result) => result.id)).toEqual(expect.arrayContaining(shownIds(stdout)))
  }
  expect((await viva(['test', '--resume', 'out.jsonl'], { cwd: dir })).code).toBe(0)
  expect(checkRun(join(dir, 'out.jsonl'), { complete: true }).results).toHaveLength(40)
  // Each kill cost the one case that ran then.
  expect(linesOf(join(dir, 'calls.log'))).toHaveLength(43)
})

onLinux('script tests: killed in the third, --resume runs the third and those after it', async () => {
  const body = (n: number) => `function Test${n}(t) {
  require('node:fs').appendFileSync('calls.log', 'Test${n}\\n')
  ${n === 3 ? `if (!require('node:fs').existsSync('again')) { require('node:fs').writeFileSync('again', ''); while (true) {} }` : ''}
  t.assert.Equal(1, 1)
}`
  const dir = makeFolder({
    'app.yao': '{}',
    'assistants/shop/package.yao': { name: 'shop' },
    'assistants/shop/src/desk_test.ts': [1, 2, 3, 4, 5].map(body).join('\n'),
  })
  const started = startViva(['test', '-i', 'scripts.shop.desk', '-o', 'out.jsonl', '-o', 'out.json'], { cwd: dir })
  await until(() => linesOf(join(dir, 'calls.log')).length === 3, 'the third test runs')
  await until(() => readRun(join(dir, 'out.jsonl')).results.length === 2, 'two results')
  started.process.kill('SIGKILL')
  expect((await started.done).code).toBeNull()
  await until(() => markedBy(started.process.pid).length === 0, 'its scripts are gone')
  const resumed = await viva(['test', '--resume', 'out.jsonl'], { cwd: dir })
  expect(resumed.code).toBe(0)
  const { results } = checkRun(join(dir, 'out.jsonl'), { complete: true })
  expect(results.map((result) => result.name)).toEqual(['Test1', 'Test2', 'Test3', 'Test4', 'Test5'])
  expect(linesOf(join(dir, 'calls.log'))).toEqual(['Test1', 'Test2', 'Test3', 'Test3', 'Test4', 'Test5'])
  const { results: reported } = JSON.parse(readFileSync(join(dir, 'out.json'), 'utf8')) as { results: object[] }
  expect(reported).toHaveLength(5)
})

onLinux('no agent outlives a killed Viva; what had left the group is ended by the next one', async () => {
  const dir = makeFolder({ 'cases.jsonl': manyCases(3) })
  const args = ['test', '-i', 'cases.jsonl', '--parallel', '3', '-n', `exec:${AGENTS}forks.sh`]
  const started = startViva(args, { cwd: dir })
  const pid = started.process.pid
  const ofGroup = () => markedBy(pid).filter((command) => !command.includes('86403'))
  await until(() => markedBy(pid).filter((command) => command.includes('sleep 86403')).length === 3, 'three agents run')
  started.process.kill('SIGKILL')
  await started.done
  await until(() => ofGroup().length === 0, 'the groups are gone')
  await viva(['test', '-i', 'hello', '-n', `exec:${AGENTS}echo.sh`], { cwd: dir })
  await until(() => markedBy(pid).length === 0, 'the rest is gone')
})

async function reference(cases: object[], args: string[]): Promise<{ json: string; md: string }> {
  const dir = folderWith(cases)
  const { code } = await run(dir, args)
  expect(code).toBe(0)
  checkRun(join(dir, 'out.jsonl'), { complete: true })
  return { json: report(dir, 'out.json'), md: report(dir, 'out.md') }
}

test.for([
  ['an empty file', ''],
  ['the trial byte', '\n'],
  ['a torn first line', '{"type":"start","format":1,"timest'],
  ['half a word', '{"ty'],
])('killed before the first line was whole (%s): --resume says that nothing was run', async ([, content = '']) => {
  const dir = makeFolder({ 'cases.jsonl': manyCases(2), 'out.jsonl': content })
  // What a killed run leaves behind: no process has this id any more.
  writeFileSync(join(dir, 'out.jsonl.lock'), JSON.stringify({ ...currentHolder(), pid: 2 ** 22 + 1 }))
  const resumed = await viva(['test', '--resume', 'out.jsonl'], { cwd: dir })
  expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/nothing was run[^]*start the run again/),
  })
  expect(existsSync(join(dir, 'out.jsonl.lock'))).toBe(false)
  const again = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'out.jsonl', '--force'], {
    cwd: dir,
  })
  expect(again.code).toBe(0)
  checkRun(join(dir, 'out.jsonl'), { complete: true })
})

test('a run that has only just begun to write is not taken for a killed one', async () => {
  const dir = makeFolder({ 'out.jsonl': '' })
  const lock = join(dir, 'out.jsonl.lock')
  writeFileSync(lock, JSON.stringify({ ...currentHolder(), started: 'now' }))
  const resumed = await viva(['test', '--resume', 'out.jsonl'], { cwd: dir })
  expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining('another run')])
  expect(existsSync(lock)).toBe(true)
})

const DIES_WHILE_WRITING = `import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
fs.rename = () => process.kill(process.pid, 'SIGKILL')
syncBuiltinESMExports()`

onLinux(
  'a half-written report is gone after the next run in its folder, but not the one of a run that still writes',
  async () => {
    const dir = folderWith(manyCases(3))
    writeFileSync(join(dir, 'dies.mjs'), DIES_WHILE_WRITING)
    const dead = await run(dir, ['-o', 'reports/out.html'], { NODE_OPTIONS: `--import ${join(dir, 'dies.mjs')}` })
    expect(dead.code).toBeNull()
    const left = (): string[] =>
      [dir, join(dir, 'reports')].flatMap((folder) => readdirSync(folder)).filter((name) => name.endsWith('.tmp'))
    expect(left()).toHaveLength(1)
    const [name = ''] = left()
    // As if this process were writing it.
    const alive = name.replace(/\.\d+-/, `.${process.pid}-`)
    expect(alive).not.toBe(name)
    writeFileSync(join(dir, alive), '')
    writeFileSync(join(dir, '.mine.tmp'), '')
    const { code } = await run(dir, ['-o', 'reports/out.html', '--force'])
    expect(code).toBe(0)
    expect(left().toSorted()).toEqual([alive, '.mine.tmp'].toSorted())
    expect(existsSync(join(dir, 'reports/out.html'))).toBe(true)
  },
)

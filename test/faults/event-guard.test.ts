// The event file is removed, replaced or rewritten while the run writes it: exit 3, and no report says anything else
// than what happened.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BIN, makeFolder, parseEvents, viva, type CliRun } from '../support/run-cli.js'
import { checkRun, manyCases, readRun } from './support.js'

/** Answers wrongly, and in the case named last does to the file what the trick says. The results before it are on disk by then. */
function agentThat(trick: string): string {
  return `import * as fs from 'node:fs'
import { join } from 'node:path'
const events = () => fs.readdirSync(${JSON.stringify('DIR')}).map((name) => join(${JSON.stringify('DIR')}, name)).find((path) => /(?:o|viva-[0-9a-f]+)\\.jsonl$/.test(path))
export function answer(messages) {
  if (messages.at(-1).content === 'T00004') { const path = events(); while (!fs.readFileSync(path, 'utf8').includes('"failed"')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5); ${trick} }
  return 'wrong'
}`
}

const TRICKS = {
  removed: 'fs.rmSync(path)',
  replaced:
    "const forged = fs.readFileSync(path, 'utf8').replaceAll('\"failed\"', '\"passed\"'); fs.writeFileSync(path + '.new', forged); fs.renameSync(path + '.new', path)",
  rewritten:
    "const forged = fs.readFileSync(path, 'utf8').replaceAll('\"failed\"', '\"passed\"'); const fd = fs.openSync(path, 'r+'); fs.writeSync(fd, forged, 0); fs.closeSync(fd)",
  emptied: 'fs.truncateSync(path, 0)',
  'made longer': "fs.appendFileSync(path, '{}\\n'.repeat(9999))",
  'swapped for a link': "fs.renameSync(path, path + '.old'); fs.symlinkSync('/dev/null', path)",
}

function folder(trick: string, where = '.'): string {
  const dir = makeFolder({ 'cases.jsonl': manyCases(5), 'tmp/.keep': '' })
  writeFileSync(join(dir, 'agent.mjs'), agentThat(trick).replaceAll('DIR', join(dir, where)))
  return dir
}

function run(dir: string, args: string[]): Promise<CliRun> {
  const all = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', '--parallel', '1', ...args]
  return viva(all, { cwd: dir, env: { TMPDIR: join(dir, 'tmp') } })
}

/** The report's statuses, if there is a report. */
function reported(dir: string): string[] | undefined {
  if (!existsSync(join(dir, 'r.json'))) return undefined
  const report = JSON.parse(readFileSync(join(dir, 'r.json'), 'utf8')) as { results: Array<{ status: string }> }
  return report.results.map((result) => result.status)
}

/** Nothing but where the files are. */
const QUIET = expect.stringMatching(/^(?:(?:Events|Report): .*\n)*$/)

const TYPES = ['start', 'case_start', 'result', 'case_start', 'result', 'case_start', 'result', 'summary']

const ALL_FAILED = ['failed', 'failed', 'failed', 'failed', 'failed']

test.each([
  ['removed', 'was removed while the run was writing it'],
  ['replaced', 'was replaced by another file while the run was writing it'],
  ['swapped for a link', 'was replaced by another file while the run was writing it'],
] as const)('%s: the reports are made from what was written, which is kept', async (trick, message) => {
  const dir = folder(TRICKS[trick])
  const { code, stdout, stderr } = await run(dir, ['-o', 'o.jsonl', '-o', 'r.json', '--json', '--history'])
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(message) })
  expect(parseEvents(stdout).at(-1)).toMatchObject({
    exit_code: 3,
    failed: 5,
    reasons: [expect.stringContaining(message), '5 cases failed'],
  })
  expect(reported(dir)).toEqual(ALL_FAILED)
  const kept = readdirSync(dir).filter((name) => name.startsWith('output-'))
  expect(stderr).toContain(kept[0])
  expect(checkRun(join(dir, kept[0] ?? ''), { complete: true }).results.map((result) => result.status)).toEqual(
    ALL_FAILED,
  )
})

test.each(['rewritten', 'emptied', 'made longer'] as const)('%s: no report, no history', async (trick) => {
  const dir = folder(TRICKS[trick])
  const { code, stdout, stderr } = await run(dir, ['-o', 'o.jsonl', '-o', 'r.json', '--json', '--history'])
  const message = 'o.jsonl was changed by something other than this run'
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(message) })
  expect(stderr).not.toContain('bug')
  expect(parseEvents(stdout).at(-1)).toMatchObject({ exit_code: 3, failed: 5 })
  expect(reported(dir)).toBeUndefined()
  expect(existsSync(join(dir, '.viva'))).toBe(false)
})

test('the temporary event file of a run with only a report is guarded too', async () => {
  const dir = folder(TRICKS.rewritten, 'tmp')
  const { code, stderr } = await run(dir, ['-o', 'r.json'])
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('was changed by something') })
  expect(reported(dir)).toBeUndefined()
})

test('what the --after hook is given, and what it does to the file', async () => {
  const dir = makeFolder({
    'app.yao': '{}',
    'cases.jsonl': manyCases(2),
    'scripts/hooks.ts': `import { writeFileSync } from 'node:fs'
export function after(ctx, results) { writeFileSync(${JSON.stringify('SEEN')}, results.map((one) => one.id).join()); writeFileSync(${JSON.stringify('EVENTS')}, '') }`,
  })
  const hook = join(dir, 'scripts/hooks.ts')
  const text = readFileSync(hook, 'utf8').replace('SEEN', join(dir, 'seen')).replace('EVENTS', join(dir, 'o.jsonl'))
  writeFileSync(hook, text)
  const args = ['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'o.jsonl', '-o', 'r.json']
  const { code, stderr } = await viva([...args, '--after', 'scripts:hooks.after'], { cwd: dir })
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('was changed by something') })
  expect(readFileSync(join(dir, 'seen'), 'utf8')).toBe('T00001,T00002')
  expect(reported(dir)).toBeUndefined()
})

test('a resumed run vouches for its first part as well', async () => {
  const dir = folder(TRICKS.rewritten.replace(`'"failed"', '"passed"'`, `'"passed"', '"failed"'`))
  const args = ['test', '-i', 'cases.jsonl', '--parallel', '1', '-o', 'o.jsonl']
  expect((await viva([...args, '-n', 'builtin:echo'], { cwd: dir })).code).toBe(0)
  const whole = readFileSync(join(dir, 'o.jsonl'), 'utf8').split('\n')
  const cut = (): void => writeFileSync(join(dir, 'o.jsonl'), `${whole.slice(0, 5).join('\n')}\n{"torn`)
  cut()
  const resume = ['test', '--resume', 'o.jsonl', '-n', './agent.mjs#answer']
  const forged = await viva([...resume, '-o', 'r.json'], { cwd: dir })
  expect({ code: forged.code, stderr: forged.stderr }).toEqual({
    code: 3,
    stderr: expect.stringContaining('was changed by something'),
  })
  expect(reported(dir)).toBeUndefined()
  cut()
  writeFileSync(join(dir, 'agent.mjs'), "export const answer = () => 'wrong'")
  const honest = await viva([...resume, '-o', 'r.json'], { cwd: dir })
  expect({ code: honest.code, stderr: honest.stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^warning: \S+o\.jsonl has answers of builtin:echo; the missing ones now come from \.\/agent\.mjs#answer.*\n(?:(?:Events|Report): .*\n)*$/,
    ),
  })
  expect(reported(dir)).toEqual(['passed', 'passed', 'failed', 'failed', 'failed'])
})

test('no false alarm: a link to a file, a summary amended because a report failed, --force, a resumed run', async () => {
  const dir = makeFolder({ 'cases.jsonl': manyCases(3), 'real.jsonl': 'old\n' })
  symlinkSync('real.jsonl', join(dir, 'o.jsonl'))
  const args = ['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'o.jsonl']
  const forced = await viva([...args, '--force', '-o', 'r.json'], { cwd: dir })
  expect({ code: forced.code, stderr: forced.stderr }).toEqual({ code: 0, stderr: QUIET })
  checkRun(join(dir, 'real.jsonl'), { complete: true })
  const resumed = await viva(['test', '--resume', 'o.jsonl'], { cwd: dir })
  expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({ code: 0, stderr: QUIET })
  const makesFolder = `import { mkdirSync } from 'node:fs'
export const answer = (messages) => (mkdirSync('r2.json', { recursive: true }), messages.at(-1).content)`
  writeFileSync(join(dir, 'agent.mjs'), makesFolder)
  const other = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', '-o', 'o.jsonl', '-o', 'r2.json', '--force']
  const amended = await viva(other, { cwd: dir })
  expect({ code: amended.code, stderr: amended.stderr }).toEqual({
    code: 3,
    stderr: expect.stringContaining('every case passed, but a report could not be written'),
  })
  expect(amended.stderr).not.toContain('changed')
  expect(readRun(join(dir, 'real.jsonl')).summary?.exit_code).toBe(3)
})

test('--force without a result: the old file stays, and no report is made from it', async () => {
  const dir = makeFolder({ 'cases.jsonl': manyCases(1) })
  const args = ['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'o.jsonl']
  await viva(args, { cwd: dir })
  const before = readFileSync(join(dir, 'o.jsonl'), 'utf8')
  const empty = await viva([...args, '--force', '-o', 'r.json', '--shard', '1/2'], { cwd: dir })
  expect({ code: empty.code, stderr: empty.stderr }).toMatchObject({ code: 0 })
  expect(readFileSync(join(dir, 'o.jsonl'), 'utf8')).toBe(before)
  expect(reported(dir)).toEqual([])
})

test('a pipe or a device has no content to be compared; what must be read back is refused', async () => {
  const dir = makeFolder({ 'cases.jsonl': manyCases(3) })
  symlinkSync('/dev/null', join(dir, 'null.jsonl'))
  symlinkSync('/dev/stdout', join(dir, 'stdout.jsonl'))
  execFileSync('mkfifo', [join(dir, 'pipe.jsonl')])
  const args = ['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--json']
  const nowhere = await viva([...args, '-o', 'null.jsonl'], { cwd: dir })
  expect({ code: nowhere.code, stderr: nowhere.stderr }).toEqual({ code: 0, stderr: QUIET })
  const quoted = [process.execPath, BIN, ...args, '-o', 'stdout.jsonl'].map((arg) => `'${arg}'`).join(' ')
  const both = spawnSync('bash', ['-c', `set -o pipefail; ${quoted} | cat`], { cwd: dir, encoding: 'utf8' })
  expect({ code: both.status, stderr: both.stderr }).toEqual({ code: 0, stderr: QUIET })
  expect(parseEvents(both.stdout)).toHaveLength(2 * TYPES.length)
  const reader = spawn('cat', [join(dir, 'pipe.jsonl')], { stdio: ['ignore', 'pipe', 'inherit'] })
  let read = ''
  reader.stdout.setEncoding('utf8').on('data', (text: string) => (read += text))
  const ended = new Promise((resolve) => reader.on('close', resolve))
  const piped = await viva([...args, '-o', 'pipe.jsonl'], { cwd: dir })
  await ended
  expect({ code: piped.code, stderr: piped.stderr }).toEqual({ code: 0, stderr: QUIET })
  expect(parseEvents(read).map((event) => event.type)).toEqual(TYPES)
  for (const more of [['-o', 'r.html'], ['--history']]) {
    const { code, stderr } = await viva([...args, '-o', 'pipe.jsonl', ...more], { cwd: dir })
    expect({ more, code, stderr }).toEqual({
      more,
      code: 2,
      stderr: expect.stringContaining('code: OUTPUT_NOT_READABLE'),
    })
  }
})

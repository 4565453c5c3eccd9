// The Nth file operation fails, comes up short, or is the last: for every N the file is sound and the run can be resumed.
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { makeFolder, viva } from '../support/run-cli.js'
import { AGENTS, checkRun, linesOf, manyCases, readRun, shownIds } from './support.js'

const HOOK = fileURLToPath(new URL('fault-fs.mjs', import.meta.url))
const MODES = ['kill', 'ENOSPC', 'short', 'EIO', 'EACCES', 'EMFILE']
// Every third N with one mode, in turn; with FAULT_ALL=1 each N with every mode, which takes minutes.
const all = process.env['FAULT_ALL'] !== undefined
const STEP = all ? 1 : 3
const OFFSETS = all ? MODES.map((_, index) => [index]) : [[0]]
const LIMIT = 600_000
const MOST_OPERATIONS = 200

function folder(): string {
  const dir = makeFolder({ 'cases.jsonl': manyCases(30), 'out/o.json': '{"old":true}' })
  copyFileSync(join(AGENTS, 'counting.mjs'), join(dir, 'agent.mjs'))
  return dir
}

function runWith(dir: string, fault: string, args: string[]) {
  const env = {
    NODE_OPTIONS: `--import=${HOOK}`,
    FAULT: fault,
    FAULT_PATH: join(dir, 'out'),
    FAULT_REPORT: join(dir, 'fired'),
  }
  return viva(['test', ...args], { cwd: dir, env })
}

test.for(OFFSETS)('a new run, modes from %i on', { timeout: LIMIT }, async ([offset = 0]) => {
  const args = ['-i', 'cases.jsonl', '-n', './agent.mjs#answer', '-o', 'out/o.jsonl', '-o', 'out/o.json']
  for (let n = 1, turn = offset; n < MOST_OPERATIONS; n += STEP, turn += 1) {
    const mode = MODES[turn % MODES.length] ?? ''
    const dir = folder()
    const run = await runWith(dir, `${n}:${mode}`, args)
    const fired = linesOf(join(dir, 'fired'))
    const what = `${n}:${mode} ${fired.join()}`
    if (fired.length === 0) {
      expect({ what, code: run.code }).toEqual({ what, code: 0 })
      expect(n).toBeGreaterThan(15)
      return
    }
    expect({ what, code: run.code }).toEqual({ what, code: expect.toBeOneOf(mode === 'kill' ? [null] : [0, 2, 3]) })
    expect({ what, stderr: run.stderr }).toEqual({ what, stderr: expect.not.stringContaining('this is a bug') })
    checkAfter(dir, what, run.stdout)
    await goOn(dir, what, args)
  }
  throw new Error('it never came to an end')
})

test('while resuming an interrupted run', { timeout: LIMIT }, async () => {
  const dir = folder()
  const first = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', '-o', 'out/o.jsonl', '-o', 'out/o.json']
  await viva(first, { cwd: dir, env: { KILL_AT: '20' } })
  const before = readRun(join(dir, 'out/o.jsonl')).results.length
  const interrupted = makeFolder()
  cpSync(dir, interrupted, { recursive: true })
  for (let n = 2, turn = 0; n < MOST_OPERATIONS; n += STEP, turn += 1) {
    const mode = MODES[turn % MODES.length] ?? ''
    for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true })
    cpSync(interrupted, dir, { recursive: true })
    const run = await runWith(dir, `${n}:${mode}`, ['--resume', 'out/o.jsonl'])
    const fired = linesOf(join(dir, 'fired'))
    const what = `${n}:${mode} ${fired.join()}`
    if (fired.length === 0) return expect({ what, code: run.code }).toEqual({ what, code: 0 })
    expect({ what, stderr: run.stderr }).toEqual({ what, stderr: expect.not.stringContaining('this is a bug') })
    checkAfter(dir, what, run.stdout)
    expect(readRun(join(dir, 'out/o.jsonl')).results.length).toBeGreaterThanOrEqual(before)
    await goOn(dir, what, first.slice(1))
  }
  throw new Error('it never came to an end')
})

test('a disk that does not confirm what was written is an error, not retried', async () => {
  const dir = folder()
  const args = ['-i', 'cases.jsonl', '-n', './agent.mjs#answer', '-o', 'out/o.jsonl']
  const { code, stderr } = await runWith(dir, 'fsync:EIO', args)
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/cannot write .*o\.jsonl: .*\(EIO\)/) })
  expect(linesOf(join(dir, 'fired'))).toHaveLength(1)
})

/** What was announced is there, every line is whole but perhaps the last, and a report is the old one or the new one. */
function checkAfter(dir: string, what: string, stdout: string): void {
  const path = join(dir, 'out/o.jsonl')
  const { results } = existsSync(path) ? checkRun(path, { tornOk: true }) : { results: [] }
  const ids = new Set(results.map((result) => result.id))
  expect({ what, missing: shownIds(stdout).filter((id) => !ids.has(id)) }).toEqual({ what, missing: [] })
  const report = JSON.parse(readFileSync(join(dir, 'out/o.json'), 'utf8')) as { old?: boolean; results?: object[] }
  if (report.old === undefined) expect(report.results).toHaveLength(30)
}

async function goOn(dir: string, what: string, args: string[]): Promise<void> {
  const path = join(dir, 'out/o.jsonl')
  const started = existsSync(path) && readRun(path).start !== undefined
  const again = await viva(['test', ...(started ? ['--resume', 'out/o.jsonl'] : [...args, '--force'])], { cwd: dir })
  expect({ what, code: again.code, stderr: again.stderr }).toMatchObject({ what, code: 0 })
  expect(checkRun(path, { complete: true }).results).toHaveLength(30)
  // A kill may leave what was being made beside the report; everything else is tidy.
  const left = readdirSync(join(dir, 'out')).filter((name) => !name.startsWith('.o.json.'))
  expect({ what, left }).toEqual({ what, left: ['o.json', 'o.jsonl'] })
}

// Where event files go, how they are found again, and that none is ever lost.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventFiles } from '../../src/pipeline/record/event-files.js'
import { makeFolder, parseEvents, viva, type CliRun } from '../support/run-cli.js'

const FILES = {
  'tests/cases.jsonl': [
    { id: 'a', input: 'hi', assert: { type: 'contains', value: 'hi' } },
    { id: 'b', input: 'hi', assert: { type: 'contains', value: 'no' } },
  ],
}
const run = (cwd: string, ...args: string[]): Promise<CliRun> =>
  viva(['test', '-i', 'tests/cases.jsonl', '-n', 'builtin:echo', ...args], { cwd })
const runIdOf = (path: string): unknown => parseEvents(readFileSync(path, 'utf8'))[0]?.['run_id']
const jsonl = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.jsonl'))

test('with a .viva folder they go to .viva/runs, and commands find them there', async () => {
  const dir = makeFolder(FILES)
  mkdirSync(join(dir, '.viva'))
  const runs = join(dir, '.viva/runs')
  const first = await run(dir)
  expect(first.stderr).toBe('')
  expect(first.stdout).toContain('Report: viva view latest (.viva/runs/output-')
  expect(readdirSync(join(dir, 'tests'))).toEqual(['cases.jsonl'])
  const [name = ''] = jsonl(runs)
  expect(readFileSync(join(runs, '.gitignore'), 'utf8')).toBe('*\n')
  // Whatever reports are asked for, the run is kept and known.
  const second = await run(dir, '-o', 'report.md', '--run', 'b')
  expect(second.stdout).toContain('Report: viva view latest (.viva/runs/output-')
  expect(jsonl(runs)).toHaveLength(2)
  const summary = async (...args: string[]): Promise<string> => (await viva(['report', ...args], { cwd: dir })).stdout
  expect(await summary(name)).toContain('Total:   2 tests')
  expect(await summary('latest')).toContain('Total:   1 test')
  expect(await summary(String(runIdOf(join(runs, name))))).toContain('Total:   2 tests')
  const compared = await viva(['compare', 'latest~1', 'latest'], { cwd: join(dir, 'tests') })
  expect(compared.code, compared.stderr).toBe(0)
  const none = await viva(['report', 'latest~7'], { cwd: dir })
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no run called latest~7')])
  const resumed = await viva(['test', '--resume', name, '--json'], { cwd: dir })
  expect(parseEvents(resumed.stdout).at(-1)).toMatchObject({ type: 'summary', total: 2 })
  expect((await eventFiles(dir)).filter((path) => path.startsWith(runs))).toHaveLength(2)
  // One message is answered, not kept.
  await viva(['test', '-i', 'hello there', '-n', 'builtin:echo'], { cwd: dir })
  expect(jsonl(runs)).toHaveLength(2)
})

test('-o x.jsonl twice: the older run is kept under another name, whatever became of it', async () => {
  const dir = makeFolder(FILES)
  const path = join(dir, 'o.jsonl')
  await run(dir, '-o', 'o.jsonl', '--stop-after', '1')
  const ids = [runIdOf(path)]
  const lines = readFileSync(path, 'utf8').split('\n')
  // Cut off, as by a kill.
  writeFileSync(path, `${lines.slice(0, 3).join('\n')}\n{"typ`)
  const cut = readFileSync(path, 'utf8')
  const second = await run(dir, '-o', 'o.jsonl')
  expect(second.stderr).toMatch(/o\.jsonl held an older run, which is kept as .*o-\d{14}\.jsonl/)
  ids.push(runIdOf(path))
  const [aside = ''] = jsonl(dir).filter((name) => name !== 'o.jsonl')
  expect(readFileSync(join(dir, aside), 'utf8')).toBe(cut)
  mkdirSync(join(dir, '.viva'))
  await run(dir, '-o', 'o.jsonl')
  await run(dir, '-o', 'o.jsonl', '-o', 'copy.jsonl')
  await run(dir, '-o', 'o.jsonl', '-o', 'copy.jsonl')
  const kept = [
    ...jsonl(dir).map((name) => join(dir, name)),
    ...jsonl(join(dir, '.viva/runs')).map((name) => join(dir, '.viva/runs', name)),
  ]
  expect(new Set(kept.map((file) => readFileSync(file, 'utf8').split('\n')[0])).size).toBe(5)
  expect(kept).toHaveLength(7)
})

test('what is not a run is never moved or replaced, nor is what a link leads to', async () => {
  const dir = makeFolder({ ...FILES, 'mine.jsonl': '{"type":"note"}\n', 'real/o.jsonl': '' })
  const mine = await run(dir, '-o', 'mine.jsonl')
  expect([mine.code, mine.stderr]).toEqual([2, expect.stringContaining('already exists')])
  expect(readFileSync(join(dir, 'mine.jsonl'), 'utf8')).toBe('{"type":"note"}\n')
  symlinkSync(join(dir, 'real/o.jsonl'), join(dir, 'link.jsonl'))
  expect((await run(dir, '-o', 'link.jsonl')).code).toBe(1)
  expect((await run(dir, '-o', 'link.jsonl')).code).toBe(2)
  expect(existsSync(join(dir, 'real/o.jsonl'))).toBe(true)
  mkdirSync(join(dir, 'elsewhere'))
  mkdirSync(join(dir, 'app/tests'), { recursive: true })
  const app = makeFolder({ 'tests/cases.jsonl': FILES['tests/cases.jsonl'], '.viva/keep': '' })
  symlinkSync(join(dir, 'elsewhere'), join(app, '.viva/runs'))
  const out = await run(app)
  expect([out.code, out.stderr]).toEqual([2, expect.stringContaining('is a link out of the project')])
})

test('.viva/runs keeps the newest runs of each suite, and what -o named, what can be resumed, and the last verdict of a case', async () => {
  const more = {
    'tests/other.jsonl': [{ id: 'x', input: 'hi' }],
    'viva.config.json': { keep_runs: 3 },
    '.viva/keep': '',
  }
  const dir = makeFolder({ ...FILES, ...more })
  const runs = join(dir, '.viva/runs')
  await viva(['test', '-i', 'tests/other.jsonl', '-n', 'builtin:echo'], { cwd: dir })
  const [other = ''] = jsonl(runs)
  await run(dir)
  const [first = ''] = jsonl(runs).filter((name) => name !== other)
  const [start = '', ...rest] = readFileSync(join(runs, first), 'utf8').split('\n')
  // Named by a person, of a run that was killed, and no run at all.
  const copy = (name: string, text: string): void => writeFileSync(join(runs, name), text)
  const named = join(runs, 'output-20200101000000.jsonl')
  copy(
    'output-20200101000000.jsonl',
    [start.replace('"output":[]', `"output":[${JSON.stringify(named)}]`), ...rest].join('\n'),
  )
  copy('output-20200101000001.jsonl', `${start}\n`)
  copy('output-20200101000002.jsonl', '{"type":"note"}\n')
  copy('mine.jsonl', [start, ...rest].join('\n'))
  const kept = [
    'mine.jsonl',
    'output-20200101000000.jsonl',
    'output-20200101000001.jsonl',
    'output-20200101000002.jsonl',
  ]
  // Runs of a few cases do not say everything: the last whole run stays.
  for (let n = 0; n < 4; n += 1) await run(dir, '--run', 'a')
  expect(jsonl(runs)).toEqual(expect.arrayContaining([...kept, other, first]))
  expect(jsonl(runs)).toHaveLength(kept.length + 6)
  expect((await run(dir, '--last-failed')).stdout).toContain('✗ [b]')
  await run(dir)
  expect(jsonl(runs)).toEqual(expect.arrayContaining([...kept, other]))
  expect(jsonl(runs)).not.toContain(first)
  expect(jsonl(runs)).toHaveLength(kept.length + 1 + 3)
  writeFileSync(join(dir, 'viva.config.json'), '{"keep_runs": 0}')
  expect((await run(dir)).stderr).toContain('keep_runs must be a whole number of at least 1 or "all", found number 0')
})

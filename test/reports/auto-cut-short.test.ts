// `--runs auto` that was cut short: what is not decided has not passed, and --resume repeats no run.
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AGENTS, checkRun, linesOf, manyCases, readRun, until } from '../faults/support.js'
import { makeFolder, startViva, viva, type CliRun } from '../support/run-cli.js'

// A case that always passes is decided at its 24th run: the first is, the second has 5 runs, the third none.
const HANG_AT = 30

async function cutShort(signal: 'SIGINT' | 'SIGKILL'): Promise<CliRun> {
  const dir = makeFolder({ 'cases.jsonl': manyCases(3) })
  copyFileSync(join(AGENTS, 'counting.mjs'), join(dir, 'agent.mjs'))
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', '--runs', 'auto', '-o', 'out.jsonl']
  const started = startViva(args, { cwd: dir, env: { HANG_AT: String(HANG_AT) } })
  await until(() => linesOf(join(dir, 'calls.log')).length === HANG_AT, 'a run that does not end')
  await until(() => readRun(join(dir, 'out.jsonl')).results.length === HANG_AT - 1, 'the results before it')
  started.process.kill(signal)
  return started.done
}

interface Report {
  summary: Record<string, unknown>
  results: Array<{ id: string; status: string; runs: number }>
}

async function reported(dir: string): Promise<Report & { texts: string[] }> {
  const formats = ['r.json', 'r.md', 'r.xml', 'r.tap', 'r.ctrf.json', 'r.txt', 'r.html']
  await viva(['report', 'out.jsonl', ...formats.flatMap((name) => ['-o', name])], { cwd: dir })
  const read = (name: string): string => readFileSync(join(dir, name), 'utf8')
  return { ...(JSON.parse(read('r.json')) as Report), texts: formats.slice(1, 6).map(read) }
}

test.each(['SIGKILL', 'SIGINT'] as const)(
  '%s: the case that was not decided is undetermined in every report',
  async (signal) => {
    const { dir, code, stdout } = await cutShort(signal)
    expect(code).toBe(signal === 'SIGINT' ? 130 : null)
    const { summary, results, texts } = await reported(dir)
    expect(summary).toMatchObject({ total: 3, passed: 1, failed: 0, undetermined: 1, not_run: 1 })
    expect(results.map(({ id, status, runs }) => [id, status, runs])).toEqual([
      ['T00001', 'passed', 24],
      ['T00002', 'undetermined', 5],
    ])
    for (const text of texts) expect(text).toMatch(/undetermined/i)
    if (signal === 'SIGINT') expect(stdout).toContain('Undetermined: 1 (T00002)')
    expect(stdout).not.toContain('Some assertions failed')
  },
)

test('--resume repeats no run and starts none that is decided', async () => {
  const { dir } = await cutShort('SIGKILL')
  const resumed = await viva(['test', '--resume', 'out.jsonl'], { cwd: dir })
  expect(resumed.code).toBe(0)
  const { results, summary, events } = checkRun(join(dir, 'out.jsonl'), { complete: true })
  expect(summary).toMatchObject({ total: 3, passed: 3, total_runs: 72, runs_saved: 18 })
  expect(results).toHaveLength(72)
  expect(events.filter((event) => event.type === 'stability')).toHaveLength(3)
  // The one that hung was asked again, nothing else.
  expect(linesOf(join(dir, 'calls.log'))).toHaveLength(73)
  const again = await viva(['test', '--resume', 'out.jsonl'], { cwd: dir })
  expect(again.code).toBe(0)
  expect(linesOf(join(dir, 'calls.log'))).toHaveLength(73)
})

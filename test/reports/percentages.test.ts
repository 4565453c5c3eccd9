// `--min-pass-rate`, `--threshold` and `--max-runs`: what a number means, and what cannot be decided.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, type CliRun } from '../support/run-cli.js'

// "fail 2,4" is wrong the second and the fourth time it is asked.
const AGENT = `
const asked = new Map()
export function run(messages) {
  const text = messages.at(-1).content
  const time = (asked.get(text) ?? 0) + 1
  asked.set(text, time)
  return text.replace('fail ', '').split(',').includes(String(time)) ? 'wrong' : 'right'
}
`
const FOUR_OF_FIVE = [{ id: 'T1', input: 'fail 3', assert: { type: 'equals', value: 'right' } }]
const ALWAYS = [{ id: 'T1', input: 'fine', assert: { type: 'equals', value: 'right' } }]

function run(cases: object[], args: string[], config?: object): Promise<CliRun> {
  const files = { 'agent.mjs': AGENT, 'cases.jsonl': cases, ...(config && { 'viva.config.json': config }) }
  const cwd = makeFolder(files)
  return viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'o.jsonl', ...args], { cwd })
}

test.each([
  ['80', 0],
  ['0.8', 0],
  ['80%', 0],
  ['81', 1],
  ['0.81', 1],
  ['100', 1],
  ['0.01', 0],
  ['1%', 0],
])('--min-pass-rate %s with 4 of 5 runs passed: exit %i', async (rate, code) => {
  expect((await run(FOUR_OF_FIVE, ['--runs', '5', '--min-pass-rate', rate])).code).toBe(code)
})

test.each(['--min-pass-rate', '--threshold'])('%s 1 is refused with both spellings', async (flag) => {
  for (const one of ['1', '1.0']) {
    const { code, stderr } = await run(ALWAYS, ['--runs', '5', flag, one])
    expect(code).toBe(2)
    expect(stderr).toContain(`${flag}: 1 may mean 1% or 100%`)
    expect(stderr).toContain(`write ${flag} 100 for every run, or ${flag} 0.01 for one in a hundred`)
  }
  const { code, stderr } = await run(ALWAYS, ['--runs', '5'], { defaults: { min_pass_rate: 1 } })
  expect([code, stderr]).toEqual([2, expect.stringContaining('defaults.min_pass_rate in viva.config.json: 1 may mean')])
})

test.each(['101', '-1', '0', 'most', '', '%'])('--min-pass-rate "%s" is not a percentage', async (rate) => {
  const { code, stderr } = await run(ALWAYS, ['--runs', '5', `--min-pass-rate=${rate}`])
  expect([code, stderr]).toEqual([2, expect.stringContaining('expected a percentage from 0.01 to 100, as 80 or 0.8')])
})

interface Decided extends CliRun {
  runs: number
  threshold: number
}

async function decide(args: string[], config?: object): Promise<Decided> {
  const done = await run(ALWAYS, ['--runs', 'auto', ...args], config)
  const [stability] = parseEvents(readFileSync(join(done.dir, 'o.jsonl'), 'utf8')).filter(
    ({ type }) => type === 'stability',
  )
  return { ...done, runs: Number(stability?.['runs']), threshold: Number(stability?.['threshold']) }
}

test('--min-pass-rate with --runs auto decides, as --threshold does; a flag beats the configuration', async () => {
  expect(await decide(['--min-pass-rate', '0.7'])).toMatchObject({ code: 0, runs: 14, threshold: 0.7 })
  expect(await decide(['--threshold', '0.7'])).toMatchObject({ code: 0, runs: 14, threshold: 0.7 })
  expect(await decide([])).toMatchObject({ code: 0, runs: 24, threshold: 0.8 })
  const config = { defaults: { threshold: 0.5 } }
  expect(await decide(['--min-pass-rate', '70'], config)).toMatchObject({ runs: 14, threshold: 0.7 })
  expect(await decide([], { defaults: { min_pass_rate: 70 } })).toMatchObject({ runs: 14, threshold: 0.7 })
  const both = await run(ALWAYS, ['--runs', 'auto', '--threshold', '70', '--min-pass-rate', '80'])
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('both name the rate that decides')])
  expect(await decide(['--threshold', '70', '--min-pass-rate', '0.7'])).toMatchObject({ code: 0, runs: 14 })
})

test('what --max-runs cannot decide is said before the first case, with the number that would do', async () => {
  for (const [args, needed] of [
    [['--threshold', '85'], 33],
    [['--threshold', '0.9'], 53],
    [['--min-pass-rate', '95'], 116],
    [['--max-runs', '23'], 24],
    [['--confidence', '0.99'], 31],
  ] as const) {
    const { code, stderr, dir } = await run(ALWAYS, ['--runs', 'auto', ...args])
    expect({ args, code, stderr }).toEqual({
      args,
      code: 2,
      stderr: expect.stringMatching(
        new RegExp(`a case that passes every time needs ${needed}\\n.*give --max-runs ${needed} or more`),
      ) as string,
    })
    expect(() => readFileSync(join(dir, 'o.jsonl'))).toThrow()
    // The number it names does.
    const others = args[0] === '--max-runs' ? args.slice(2) : args
    expect(await decide([...others, '--max-runs', String(needed)])).toMatchObject({ code: 0, runs: needed })
  }
  const all = await run(ALWAYS, ['--runs', 'auto', '--threshold', '100'])
  expect([all.code, all.stderr]).toEqual([2, expect.stringContaining('no number of runs shows a pass rate above 100%')])
  expect(all.stderr).toContain('--runs 30 --min-pass-rate 100')
})

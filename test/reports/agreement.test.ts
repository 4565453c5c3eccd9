// One run says one number and one class: on the console, in every report, and after a resume.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, viva } from '../support/run-cli.js'

// "every 5" is wrong each fifth time it is asked.
const AGENT = `
const asked = new Map()
export function run(messages) {
  const text = messages.at(-1).content
  const time = (asked.get(text) ?? 0) + 1
  asked.set(text, time)
  const each = Number(/every (\\d+)/.exec(text)?.[1])
  return text === 'wrong' || time % each === 0 ? 'wrong answer' : 'right answer'
}
`
const right = { type: 'contains', value: 'right' }
const GOOD = { id: 'good', input: 'fine', assert: right }
const BAD = { id: 'bad', input: 'wrong', assert: right }
const OPEN = { id: 'open', input: 'every 5', assert: right }

function folderWith(cases: object[]): string {
  return makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases })
}

function run(cwd: string, args: string[]) {
  return viva(['agent', 'test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'r.jsonl', ...args], { cwd })
}

/** What the console says after its summary. */
function recapOf(stdout: string): string[] {
  return stdout
    .slice(Math.max(0, stdout.search(/^ {2}\d+ (?:failures?|cases? (?:undetermined|not shown)):/m)))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

test('what is undetermined is not listed as a failure, and not run again with them', async () => {
  const { stdout } = await run(folderWith([GOOD, BAD, OPEN]), ['--runs', 'auto', '--max-runs', '35'])
  expect(recapOf(stdout)).toEqual([
    '1 failure:',
    expect.stringMatching(/^✗ \[bad\] cases\.jsonl:2 0\/3 passed: /),
    '1 case undetermined:',
    expect.stringMatching(/^\? \[open\] cases\.jsonl:3 28\/35 passed: /),
    'To run just it again:',
    "viva test -i cases.jsonl -n './agent.mjs#run' --runs auto --max-runs 35 --run '^bad$'",
  ])
})

test('without a failure there is no command', async () => {
  const { stdout } = await run(folderWith([OPEN]), ['--runs', 'auto'])
  expect(recapOf(stdout)).toEqual(['1 case undetermined:', expect.stringMatching(/^\? \[open\]/)])
})

test('the command names the targets as they were given', async () => {
  const cwd = makeFolder({ 'a.mjs': AGENT, 'b.mjs': AGENT, 'cases.jsonl': [GOOD, BAD] })
  const { stdout } = await viva(
    ['agent', 'test', '-i', 'cases.jsonl', '-n', './a.mjs#run', '-n', './b.mjs#run', '--runs', '2'],
    { cwd },
  )
  expect(recapOf(stdout).at(-1)).toBe(
    "viva test -i cases.jsonl -n './a.mjs#run' -n './b.mjs#run' --runs 2 --run '^bad$'",
  )
})

test.for([
  { args: [], runs: '' },
  { args: ['--runs', '2'], runs: ' --runs 2' },
])('after --resume the recap has the failures of both parts: $args', async ({ args, runs }) => {
  const cwd = folderWith([BAD, GOOD, { ...BAD, id: 'bad too' }])
  const whole = await run(cwd, args)
  const path = join(cwd, 'r.jsonl')
  const lines = readFileSync(path, 'utf8').split('\n')
  // As if it had been killed after the second case.
  const end = lines.findLastIndex((line) => /^\{"type":"(?:result|stability)".*"id":"good"/.test(line))
  writeFileSync(path, `${lines.slice(0, end + 1).join('\n')}\n`)
  const resumed = await viva(['agent', 'test', '--resume', 'r.jsonl'], { cwd })
  expect(recapOf(resumed.stdout)).toEqual(recapOf(whole.stdout))
  expect(recapOf(resumed.stdout).at(0)).toBe('2 failures:')
  expect(recapOf(resumed.stdout).at(-1)).toBe(
    `viva test -i cases.jsonl -n './agent.mjs#run'${runs} --run '^(?:bad|bad too)$'`,
  )
  // What was shown before is not shown again.
  expect(resumed.stdout).not.toContain('[good]')
})

interface Report {
  summary: Record<string, unknown>
  results: Array<Record<string, unknown>>
}

test('every format gives both rates, and says what each counts', async () => {
  const cwd = folderWith([GOOD, BAD, { ...OPEN, input: 'every 2' }])
  const { stdout } = await run(cwd, ['--runs', '4', '-o', 'r.json', '-o', 'r.md'])
  const report = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')) as Report
  expect(report.summary).toMatchObject({ pass_rate: expect.closeTo(33.33, 1) as number, overall_pass_rate: 50 })
  const both = "33.3% of cases; 50% of a case's runs on average"
  expect(/^ {2}Rate: +(.*)$/m.exec(stdout)?.[1]).toBe(both)
  expect(/^\| Pass Rate +\| (.*?) +\|$/m.exec(readFileSync(join(cwd, 'r.md'), 'utf8'))?.[1]).toBe(both)
  // Of four runs that passed nothing is undetermined, and what failed in some is not flaky: those pass.
  expect(stdout).not.toMatch(/undetermined|flaky/i)
  expect(report.results.map(({ label }) => label)).toEqual([
    'too few runs to tell',
    'too few runs to tell',
    'passes sometimes',
  ])
})

test('what is decided has no label that says otherwise', async () => {
  const cwd = folderWith([BAD])
  await run(cwd, ['--runs', 'auto', '-o', 'r.json'])
  const report = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')) as Report
  expect(report.results).toMatchObject([{ status: 'failed', decision: 'below' }])
  expect(report.results[0]).not.toHaveProperty('label')
})

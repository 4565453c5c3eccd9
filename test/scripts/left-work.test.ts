// What hooks, script assertions and tests leave behind when they have ended: errors of the run with their place.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

const CHECKS = `
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export function Good(output) { return output.includes('hello') }
export async function Awaits(output) { await sleep(1); return output.includes('hello') }
export function Rejects(output) { Promise.reject(new Error('nobody caught this')); return true }
export function Forgets(output) { later(output); return true }
async function later(output) { await sleep(60_000); if (output !== 'x') throw new Error('never seen') }
export function Inside(output) { return { pass: true, score: sleep(1).then(() => 0) } }
`

test('script assertions: a rejection and forgotten work are errors, a promise in the answer fails the case', async () => {
  const cases = ['Good', 'Awaits', 'Rejects', 'Forgets', 'Inside'].map((name) => ({
    id: name,
    input: 'hello',
    assert: { type: 'script', script: `scripts.checks.${name}` },
  }))
  const cwd = makeFolder({ 'app.yao': '{}', 'scripts/checks.ts': CHECKS, 'cases.jsonl': cases })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'o.jsonl'], { cwd })
  const events = parseEvents(readFileSync(join(cwd, 'o.jsonl'), 'utf8'))
  const results = Object.fromEntries(
    events.flatMap((event) => (event.type === 'result' ? [[event['id'], [event['status'], event['error']]]] : [])),
  )
  expect(results).toEqual({
    Good: ['passed', undefined],
    Awaits: ['passed', undefined],
    Rejects: ['passed', undefined],
    Forgets: ['passed', undefined],
    Inside: ['failed', expect.stringContaining('found a promise where data was expected: forgot await?')],
  })
  const errors = events.flatMap((event) =>
    event.type === 'error' ? [`${String(event['where'])}: ${String(event['message'])}`] : [],
  )
  expect(errors.toSorted()).toEqual([
    expect.stringMatching(
      /^scripts\.checks\.Forgets: the function has returned, and work .*forgot await\?\n.*checks\.ts:7:/s,
    ),
    expect.stringMatching(/^scripts\.checks\.Rejects: Error: nobody caught this\n.*checks\.ts:5:/s),
  ])
  expect(run.code).toBe(1)
  expect(run.stdout + run.stderr).not.toContain('this is a bug')
})

test('script tests: work that is left is an error with the name of its test, in the reports too', async () => {
  const cwd = makeFolder({
    'assistants/late/package.yao': '{ "name": "late" }',
    'assistants/late/src/late_test.ts': `
function TestForgets(t) { check(t) }
async function check(t) { await new Promise((done) => setTimeout(done, 60_000)); t.assert.True(false) }
function TestOther(t) { t.assert.True(true) }`,
  })
  const run = await viva(['test', '-i', 'scripts.late.late', '-o', 'r.xml'], { cwd })
  expect(run.stdout).toContain(
    '✗ scripts.late.late.TestForgets: TestForgets has ended, and work that it started has not: forgot await?',
  )
  expect(run.stdout).toContain('Exit code 1: 1 error outside any case')
  expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toContain('TestForgets has ended')
  expect(run.code).toBe(1)
})

test('a promise that lost a race is not left-over work, even if its rejection is silenced', async () => {
  const cwd = makeFolder({
    'assistants/race/package.yao': '{ "name": "race" }',
    'assistants/race/src/race_test.ts': `
async function TestRace(t) {
  const limit = new Promise((_, reject) => setTimeout(() => reject(new Error('too late')), 60_000))
  limit.catch(() => {})
  t.assert.Equal(await Promise.race([Promise.resolve(1), limit]), 1)
}
function TestForgets(t) { check(t).catch(() => {}) }
async function check(t) { await new Promise((done) => setTimeout(done, 60_000)); t.assert.True(false) }`,
  })
  const run = await viva(['test', '-i', 'scripts.race.race'], { cwd })
  expect(run.stdout).toContain('TestForgets has ended, and work that it started has not')
  expect(run.stdout).not.toContain('TestRace has ended')
  expect(run.stdout).toContain('1 error outside any case')
})

test('script tests: leaving with 0 after the last test hides nothing', async () => {
  const cwd = makeFolder({
    'assistants/late/package.yao': '{ "name": "late" }',
    'assistants/late/src/late_test.ts': `
function TestLeaves(t) { t.assert.True(true); check(t); setTimeout(() => process.exit(0), 1) }
async function check(t) { await new Promise((done) => setTimeout(done, 60_000)); t.assert.True(false) }`,
  })
  const run = await viva(['test', '-i', 'scripts.late.late'], { cwd })
  expect(run.stdout).toContain('exited before reporting (exit code 0) (after the last test)')
  expect(run.code).toBe(1)
})

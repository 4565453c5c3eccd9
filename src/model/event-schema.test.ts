// The schema against what Viva writes. Runs of the black-box tests are checked against it as well, in `parseEvents`.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expectKnownEvent } from '../../test/support/event-schema.js'
import { resultEvent, startEvent } from '../../test/support/events.js'
import { eventJsonSchema } from './event-schema.js'

const GOLDEN = new URL('../../test/golden/reports/', import.meta.url)
const FILES = readdirSync(GOLDEN).filter((name) => name.endsWith('.jsonl'))

function linesOf(name: string): string[] {
  const lines = readFileSync(new URL(name, GOLDEN), 'utf8').split('\n').slice(0, -1)
  expect(lines.length, name).toBeGreaterThan(1)
  return lines
}

test.each(FILES)('every line of %s fits', (name) => {
  for (const line of linesOf(name)) expectKnownEvent(JSON.parse(line))
})

test('a field that the schema does not know is noticed, at any depth', () => {
  expectKnownEvent(startEvent())
  expect(() => expectKnownEvent({ ...startEvent(), note: 1 })).toThrow('every field is in the schema')
  const turn = { turn: 1, input: 'x', input_source: 'static', status: 'passed', duration_ms: 1 }
  expectKnownEvent({ ...resultEvent('A'), turns: [turn] })
  expect(() => expectKnownEvent({ ...resultEvent('A'), turns: [{ ...turn, note: 1 }] })).toThrow('every field')
})

test('a result says what goes with its status, and nothing else', () => {
  const common = { type: 'result', run_id: 'r', id: 'A', run: 1, duration_ms: 1 }
  expectKnownEvent({ ...common, status: 'passed', output: 'x' })
  expectKnownEvent({ ...common, status: 'failed', error: 'x', error_kind: 'timeout' })
  expectKnownEvent({ ...common, status: 'skipped', skip_reason: 'x' })
  for (const wrong of [
    { status: 'passed', error: 'x' },
    { status: 'passed', skip_reason: 'x' },
    { status: 'failed' },
    { status: 'failed', error: 'x', error_kind: 'timeout', flaky: true },
    { status: 'skipped' },
    { status: 'skipped', skip_reason: 'x', output: 'y' },
  ])
    expect(() => expectKnownEvent({ ...common, ...wrong }), JSON.stringify(wrong)).toThrow('result')
})

test('the JSON Schema accepts the same lines, and refuses a result that fits no status', async () => {
  const validate = new Ajv2020({ strict: false }).compile(await eventJsonSchema())
  for (const name of FILES) {
    for (const line of linesOf(name)) expect(validate(JSON.parse(line)), JSON.stringify(validate.errors)).toBe(true)
  }
  expect(validate({ ...resultEvent('A'), error: 'x' })).toBe(false)
  expect(validate({ ...startEvent(), a_field_of_the_future: 1 })).toBe(true)
})

// The events of a run whose report failed are never lost, wherever they can be.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/support/run-cli.js'
import { keepEvents } from './keep-events.js'

const EVENTS = {
  async *lines() {
    yield 'events'
  },
}

const BROKEN = {
  async *lines() {
    yield 'a part'
    throw new Error('cannot be read')
  },
}

const NOW = new Date(2024, 11, 17, 10, 0, 0)

test('beside the report, under the default name', async () => {
  const dir = makeFolder({ 'temporary.jsonl': 'events\n' })
  const kept = await keepEvents(EVENTS, join(dir, 'temporary.jsonl'), dir, NOW)
  expect(kept).toBe(join(dir, 'output-20241217100000.jsonl'))
  expect(readFileSync(kept, 'utf8')).toBe('events\n')
  expect(readdirSync(dir)).toHaveLength(2)
})

test('where they were, when the place takes nothing or only a part', async () => {
  const dir = makeFolder({ 'temporary.jsonl': 'events\n' })
  const from = join(dir, 'temporary.jsonl')
  expect(await keepEvents(EVENTS, from, join(dir, 'gone'), NOW)).toBe(from)
  expect(existsSync(from)).toBe(true)
  expect(await keepEvents(BROKEN, from, dir, NOW)).toBe(from)
  expect(readdirSync(dir)).toEqual(['temporary.jsonl'])
})

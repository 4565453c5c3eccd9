import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openResultIndex } from './result-index.js'

const dir = mkdtempSync(join(tmpdir(), 'viva-index-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const START = '{"type":"start","format":1,"run_id":"r","total_cases":1}'
const BEGAN = '{"type":"case_start","id":"a \\"b\\"","run":1,"timestamp":"2026-01-01T00:00:00.000Z"}'
const RESULT = '{"type":"result","run_id":"r","id":"a \\"b\\"","run":1,"status":"passed","output":"x","duration_ms":1}'

function write(name: string, lines: string[]): string {
  const path = join(dir, name)
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  return path
}

test('finds the results between the starts of cases', async () => {
  const index = await openResultIndex(write('good.jsonl', [START, BEGAN, RESULT]))
  expect(index.read({ id: 'a "b"', run: 1 })).toMatchObject({ output: 'x' })
  expect(index.read({ id: 'a "b"', run: 2 })).toBeUndefined()
  index.close()
})

test.each([
  ['torn in the middle', BEGAN.slice(0, -10)],
  ['of two lines in one', BEGAN + BEGAN],
  ['with a number for an id', BEGAN.replace(/"id":"[^,]*",/, '"id":7,')],
])('the start of a case %s is an error with its line', async (_, line) => {
  await expect(openResultIndex(write('bad.jsonl', [START, RESULT, line]))).rejects.toThrow('bad.jsonl:3')
})

test('a file that begins with the start of a case is not a run', async () => {
  await expect(openResultIndex(write('no-run.jsonl', [BEGAN, START, RESULT]))).rejects.toThrow('no-run.jsonl:1')
})

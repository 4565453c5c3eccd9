// Zero-width, direction and look-alike characters are shown as what they are wherever people read: the formats that are
// data keep them as they were.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, viva } from '../support/run-cli.js'

const TEXT = 'zero\u200bwidth \u202egnp.exe p\u0430ssed'
const RAW = /[\u200b\u202e\u0430]/

test('on the console and in every report that people read', async () => {
  const assert = { type: 'equals', value: `other ${TEXT}` }
  const dir = makeFolder({ 'cases.jsonl': [{ id: 'p\u0430ssed', name: TEXT, input: TEXT, assert }] })
  const formats = ['md', 'xml', 'txt', 'jsonl']
  const args = [
    'test',
    '-i',
    'cases.jsonl',
    '-n',
    'builtin:echo',
    '-v',
    ...formats.flatMap((end) => ['-o', `o.${end}`]),
  ]
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(dir, 'github.md') }
  const { code, stdout, stderr } = await viva(args, { cwd: dir, env })
  expect(code).toBe(1)
  const read = (name: string): string => readFileSync(join(dir, name), 'utf8')
  const sinks = { stdout, stderr, md: read('o.md'), xml: read('o.xml'), txt: read('o.txt'), github: read('github.md') }
  for (const [sink, text] of Object.entries(sinks))
    expect({ sink, raw: RAW.exec(text)?.[0] }).toEqual({ sink, raw: undefined })
  for (const [sink, text] of Object.entries(sinks))
    expect({ sink, text }).toEqual({ sink, text: expect.stringContaining('p\\u{430}ssed') })
  expect(read('o.jsonl')).toContain(TEXT)
})

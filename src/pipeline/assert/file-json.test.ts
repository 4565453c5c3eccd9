import { expect, test } from 'vitest'
import { checkOne } from '../../../test/support/assertions.js'
import type { FileReading, WorkspaceFiles } from '../../model/workspace.js'
import { compileAssertions } from './compile.js'

const holding = (files: Record<string, string>): WorkspaceFiles => ({
  scratchpad: 'pad.md',
  read: (path): Promise<FileReading> =>
    Promise.resolve(files[path] === undefined ? { kind: 'missing' } : { kind: 'text', text: files[path], bytes: 1 }),
  contents: () => Promise.resolve({}),
})
const workspace = holding({
  'a.json': '{"retries": 3, "id": 12345678901234567891, "tags": ["x"]}',
  'text.json': '"{\\"a\\": 1}"',
  'bad.json': '{"retries": 3,}',
})
const check = (spec: object) => checkOne({ type: 'file_json', path: 'a.json', ...spec }, {}, { workspace })

test.each([
  [{ json_path: '$.retries', value: 3 }, true],
  [{ json_path: '$.retries', value: { $gte: 4 } }, false],
  [{ json_path: '$.retries', exists: true }, true],
  [{ json_path: '$.other', exists: false }, true],
  [{ json_path: '$.other', value: 1 }, false],
  [{ value: { $subset: { retries: 3 } } }, true],
  [{ value: { retries: 3 } }, false],
  [{ schema: { type: 'object', required: ['retries'] } }, true],
  [{ schema: { type: 'object', required: ['other'] } }, false],
  // As a number it would be the same as another.
  [{ json_path: '$.id', value: 12345678901234567000 }, false],
  // What is JSON inside a text is a text.
  [{ path: 'text.json', value: { a: 1 } }, false],
  [{ path: 'text.json', value: '{"a": 1}' }, true],
  [{ path: 'bad.json', json_path: '$.retries', value: 3 }, false],
])('%j: %s', async (spec, passed) => expect((await check(spec)).passed).toBe(passed))

test('what is not there or not JSON shows nothing, negated or not', async () => {
  for (const spec of [{ path: 'none.json' }, { path: 'bad.json' }, { json_path: '$.other' }])
    for (const negate of [false, true]) expect((await check({ value: 1, ...spec, negate })).passed).toBe(false)
  expect((await check({ json_path: '$.retries', value: 4 })).message).toBe(
    'a.json: $.retries is not equal: expected 4, got 3',
  )
  expect((await check({ path: 'bad.json', value: 1 })).message).toContain('bad.json is not JSON')
})

test.each([
  [{}, 'value: is missing'],
  [{ exists: true }, 'needs json_path'],
  [{ value: 1, schema: {} }, 'stands alone'],
  [{ value: { $any: true } }, 'cannot fail'],
  [{ json_path: '$.[', value: 1 }, 'json_path: invalid path'],
  [{ path: '../a.json', value: 1 }, 'cannot be used'],
])('%j is refused: %s', (spec, message) => {
  expect(() => compileAssertions([{ type: 'file_json', path: 'a.json', ...spec }])).toThrow(message)
})

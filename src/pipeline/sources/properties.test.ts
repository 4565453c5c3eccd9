// What holds for every file, not just for the examples.
import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
import { safeParse } from 'valibot'
import { expect, test } from 'vitest'
import { openText } from '../../../test/support/case-files.js'
import { IdTable } from '../../base/id-table.js'
import { caseSchema } from '../../model/case-schema.js'
import { JsonItemSplitter } from './json-file.js'
import { JsonlParser } from './jsonl.js'
import type { RawValue } from './raw-value.js'
import { compileFit } from './schema-fit.js'
import { findUnknownKeys } from './unknown-keys.js'
import { parseYamlCases } from './yaml-file.js'

const written = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const record = fc.dictionary(fc.string(), fc.jsonValue()).map(written)
// JSONL refuses a list; everything else is a value.
const jsonlValue = fc.oneof(record, fc.string(), fc.integer(), fc.boolean())

/** Feeds text in pieces cut anywhere between lines. */
async function parseJsonl(text: string, cut: number): Promise<RawValue[]> {
  const parser = new JsonlParser()
  const boundary = text.indexOf('\n', cut % (text.length + 1)) + 1
  const first = await parser.feed({ text: text.slice(0, boundary) })
  const second = await parser.feed({ text: text.slice(boundary) })
  return [...first, ...second, ...(await parser.end())]
}

test('values written as JSONL are read as they were, pretty-printed or not, with comments between', async () => {
  const layout = fc.constantFrom(0, 1, 2, '\t')
  const gap = fc.constantFrom('', '\n', '# comment\n', '  // "comment" {\n', '\r\n')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(jsonlValue, layout, gap)), fc.boolean(), fc.nat(), async (items, crlf, cut) => {
      const text = items.map(([value, indent, space]) => `${space}${JSON.stringify(value, null, indent)}\n`).join('')
      const values = await parseJsonl(crlf ? text.replaceAll(/\r?\n/g, '\r\n') : text, cut)
      expect(values.map(({ problem }) => problem)).toEqual(items.map(() => undefined))
      expect(values.map(({ value }) => value)).toEqual(items.map(([value]) => value))
    }),
  )
})

test('the line of a value is the line it starts on', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(record, fc.constantFrom(0, 2))), fc.nat(), async (items, cut) => {
      const texts = items.map(([value, indent]) => JSON.stringify(value, null, indent))
      const lines = texts.map(
        (_, index) => 1 + texts.slice(0, index).join('\n').split('\n').length - (index === 0 ? 1 : 0),
      )
      const values = await parseJsonl(`${texts.join('\n')}\n`, cut)
      expect(values.map(({ line }) => line)).toEqual(lines)
    }),
  )
})

test('a list written as .json is read as it was, cut anywhere', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue().map(written)),
      fc.boolean(),
      fc.constantFrom(0, 2),
      fc.nat(),
      async (list, wrapped, indent, at) => {
        const text = JSON.stringify(wrapped ? { name: 'x]["', cases: list, _n: [1] } : list, null, indent)
        const splitter = new JsonItemSplitter()
        const cut = at % (text.length + 1)
        const values = [
          ...(await splitter.feed(text.slice(0, cut))),
          ...(await splitter.feed(text.slice(cut))),
          ...(await splitter.end()),
        ]
        expect(values.map(({ value, problem }) => problem ?? value)).toEqual(list)
      },
    ),
  )
})

test('JSON is YAML: a list gives the same values', () => {
  const plain = fc.dictionary(
    fc.string({ unit: fc.constantFrom('a', 'b', '_') }),
    fc.oneof(fc.integer(), fc.boolean(), fc.string({ unit: 'grapheme-ascii' })),
  )
  fc.assert(
    fc.property(fc.array(plain), (list) => {
      const values = parseYamlCases(JSON.stringify(list, null, 2))
      expect(values.map(({ value, problem }) => problem ?? value)).toEqual(list)
    }),
  )
})

test('random bytes are cases or problems, never a crash', async () => {
  const noise = fc.uint8Array({ maxLength: 60 })
  const pieces = fc.array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '"id":"A"',
      '"input":"x"',
      ',',
      ':',
      '\n',
      '\r',
      ' ',
      '#',
      '//',
      '\uFEFF',
      '\\',
      '- ',
      'id: A',
      '&a',
      '*a',
      '\0',
      '1e999',
    ),
    { maxLength: 14 },
  )
  const bytes = fc.oneof(
    noise,
    pieces.map((list) => new Uint8Array(Buffer.from(list.join('')))),
  )
  await fc.assert(
    fc.asyncProperty(bytes, fc.constantFrom('c.jsonl', 'c.json', 'c.yaml'), async (content, name) => {
      const { cases, problems } = await openText(content, name)
      expect(cases.length > 0 !== problems.length > 0).toBe(true)
    }),
    { numRuns: 400 },
  )
})

const field = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('30s', '0s', '1x'),
  fc.array(fc.string()),
  fc.object(),
)
const message = fc.record({ role: field, content: field, name: field }, { requiredKeys: [] })
const assertion = fc.record(
  { type: field, value: field, negate: field, path: field, weight: field },
  { requiredKeys: [] },
)
const options = fc.record({ connector: field, mode: field, metadata: field, skip: field }, { requiredKeys: [] })
const turn = fc.record({ input: field, assert: fc.oneof(field, assertion), options }, { requiredKeys: [] })
const anyCase = fc.record(
  {
    id: fc.oneof(fc.string(), fc.constantFrom('A', ' ', 'a b', 'é', 'a\u0000', 5)),
    input: fc.oneof(field, message, fc.array(message)),
    messages: fc.oneof(field, fc.array(message)),
    assert: fc.oneof(field, assertion, fc.array(assertion)),
    assertions: fc.oneof(field, assertion),
    name: field,
    skip: field,
    tags: field,
    metadata: field,
    timeout: field,
    type: field,
    expected: field,
    user: field,
    other: field,
    options: fc.oneof(field, options),
    turns: fc.array(turn),
  },
  { requiredKeys: ['id', 'input'] },
)

test('what the compiled schema accepts, the schema accepts, and it knows every key', () => {
  const fits = compileFit(caseSchema)
  let accepted = 0
  // Mostly right, sometimes wrong in one place.
  const mostly = <T>(right: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: field })
  const id = fc.constantFrom('A', 'a b', 'é', 'T1 # x', 'a\u200b')
  // With a key, now and then, that nobody knows.
  const keyed = (fields: Record<string, fc.Arbitrary<unknown>>) =>
    fc
      .tuple(fc.record(fields), fc.constantFrom({}, {}, {}, { $schema: 1 }, { other: 1 }))
      .map(([known, more]) => ({ ...known, ...more }))
  const history = fc.array(keyed({ role: fc.constant('user'), content: mostly(fc.string()) }), { minLength: 1 })
  const check = fc.record({ type: fc.constant('contains'), value: field, negate: mostly(fc.boolean()) })
  const passed = mostly(
    fc.record({ connector: mostly(fc.string()), metadata: mostly(fc.object()) }, { requiredKeys: [] }),
  )
  const step = fc.record(
    { input: mostly(fc.string()), assert: mostly(check), options: passed },
    { requiredKeys: ['input'] },
  )
  const input = mostly(fc.oneof(fc.string(), history))
  const fields = {
    assert: mostly(fc.oneof(check, fc.array(check, { minLength: 1 }))),
    timeout: mostly(fc.constant('30s')),
    tags: mostly(fc.array(fc.string())),
    options: passed,
    turns: mostly(fc.array(step, { minLength: 1 })),
    attachments: fc.array(keyed({ type: fc.constant('image'), source: mostly(fc.string()) })),
    retry: keyed({ max_attempts: fc.constantFrom(2, 0, 101, '2'), retry_on: mostly(fc.constant(['timeout'])) }),
    simulator: keyed({ use: mostly(fc.string()), options: passed }),
    checkpoints: fc.array(keyed({ id: mostly(fc.constantFrom('c', 'd')), assertion: mostly(check) })),
    interactive: keyed({ enabled: mostly(fc.boolean()), timeout: mostly(fc.constant('5s')) }),
    on_missing_input: fc.constantFrom('skip', 'end', 'stop'),
    max_turns: fc.constantFrom(1, 0, 1000, 1001, '1'),
    min_score: fc.constantFrom(0.5, 0, 1, 2),
    recording: keyed({ mode: fc.constantFrom('live', 'dead'), max_age: fc.constantFrom('30d', '30') }),
    testing: keyed({ tools: mostly(fc.object()) }),
    workspace: keyed({ fixtures: mostly(fc.constant({ 'a.txt': 'x' })), scratchpad: mostly(fc.string()) }),
  }
  const usual = fc
    .tuple(fc.record({ id: mostly(id), input }), fc.record(fields), fc.subarray(Object.keys(fields), { maxLength: 2 }))
    .map(([own, all, names]) => {
      const some = Object.entries(all).filter(([name]) => names.includes(name))
      return { ...own, ...Object.fromEntries(some) }
    })
  fc.assert(
    fc.property(fc.oneof(anyCase, usual), (raw) => {
      if (!fits(raw)) return
      accepted++
      expect(safeParse(caseSchema, raw).issues).toBeUndefined()
      expect(findUnknownKeys(caseSchema, raw)).toEqual([])
    }),
    { numRuns: 1500 },
  )
  expect(accepted).toBeGreaterThan(20)
})

test('the id table remembers the first line of every id', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '0'), maxLength: 5 }), { maxLength: 3000 }),
      fc.nat(2000),
      (ids, reserved) => {
        const table = new IdTable()
        table.reserve(reserved)
        const first = new Map<string, number>()
        for (const [index, id] of ids.entries()) {
          expect(table.add(id, index + 1)).toBe(first.get(id) ?? 0)
          if (!first.has(id)) first.set(id, index + 1)
        }
      },
    ),
    { numRuns: 30 },
  )
})

test('a hundred thousand different ids are all different', () => {
  const table = new IdTable()
  let collisions = 0
  for (let index = 1; index <= 100_000; index++) if (table.add(`T${index}`, index) !== 0) collisions++
  expect(collisions).toBe(0)
})

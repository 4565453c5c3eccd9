import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/case-files.js'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CsvParser } from './csv.js'
import { openSource } from './open-source.js'
import { UserError } from '../../errors.js'

function parse(text: string, size = text.length || 1): Array<string[] | string> {
  const parser = new CsvParser()
  const rows = []
  for (let at = 0; at < text.length; at += size) rows.push(...parser.feed(text.slice(at, at + size)))
  rows.push(...parser.end())
  return rows.map(({ cells, problem }) => problem?.message ?? cells.map((cell) => cell.text))
}

test('whatever is written in quotes is read back, however the text is cut', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', '\t', ' ', '=', '\uFEFF', 'é', '😀') })
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 })
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
  fc.assert(
    fc.property(table, fc.integer({ min: 1, max: 9 }), fc.constantFrom('\n', '\r\n'), (rows, size, newline) => {
      const text = rows.map((row) => row.map(quoted).join(',')).join(newline)
      expect(parse(text, size)).toEqual(rows.filter((row) => row.some((own) => own !== '')))
    }),
  )
})

test('unquoted text never hangs and never loses a line', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ') }), (text) => {
      const rows = parse(text)
      if (!text.includes('"')) {
        const lines = text.split('\n').filter((line) => line.replaceAll(/[, ]/g, '') !== '')
        expect(rows).toHaveLength(lines.length)
      }
    }),
  )
})

test.each([
  [
    'id, input\na, "x"\n',
    [
      ['id', 'input'],
      ['a', 'x'],
    ],
  ],
  [
    'id;input\na;x,y\n',
    [
      ['id', 'input'],
      ['a', 'x,y'],
    ],
  ],
  [
    'id\tinput\r\na\tx\r\n\r\n',
    [
      ['id', 'input'],
      ['a', 'x'],
    ],
  ],
  [
    'id,input\na," x "\n,\n',
    [
      ['id', 'input'],
      ['a', ' x '],
    ],
  ],
])('%j', (text, rows) => expect(parse(text)).toEqual(rows))

test.each([
  ['id,input\na,"x" y\n', 'text after the closing "'],
  ['id,input\na,x"y\n', 'a " inside a cell'],
  ['id,input\na,"x\n', 'never closed'],
])('%j is refused', (text, message) => expect(parse(text).join('\n')).toContain(message))

async function open(text: string | Buffer): Promise<string[] | object[]> {
  const file = join(tempDir(), 'cases.csv')
  writeFileSync(file, text)
  try {
    const source = await openSource('cases.csv', { cwd: join(file, '..') })
    const cases = []
    for await (const batch of source.cases()) cases.push(...batch.map(({ testCase }) => testCase))
    await source.close()
    return cases
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return error.problems.length > 0
      ? error.problems.map(({ line, column, field = '', message }) => `${line}:${column} ${field} ${message}`)
      : [error.message]
  }
}

test('columns become fields', async () => {
  const header = 'id,input,expected,tags,name,skip,metadata.who,assert,assert2,assert.contains,messages,notes'
  const row = `a,=1+1,"{""a"": 1}","x, y;z",N,no,Ann,contains: 1,"[{""type"":""regex"",""value"":""1""}]",2,,free`
  expect(await open(`\uFEFF${header}\r\n${row}\r\n`)).toEqual([
    {
      id: 'a',
      input: '=1+1',
      expected: { a: 1 },
      tags: ['x', 'y', 'z'],
      name: 'N',
      skip: false,
      metadata: { who: 'Ann' },
      assertions: [
        { type: 'contains', value: '1' },
        { type: 'regex', value: '1' },
        { type: 'contains', value: '2' },
      ],
      line: 2,
    },
  ])
})

test.each([
  ['', 'no test cases'],
  ['id,input\n', 'no test cases'],
  ['name,input\na,b\n', 'no column "id"'],
  ['id,text\na,b\n', 'no column "input"'],
  ['id,input,input\na,b,c\n', '1:10  column "input" appears twice: columns 2 and 3'],
  ['id,input,__expected\na,b,c\n', 'belongs to another tool'],
  ['id,input,expected\na,b\n', '2:1  2 cells, but the header line has 3'],
  ...['Assert.contains', 'asert.contains', 'assertions.contains', 'assert contains', 'assert_contains'].map(
    (name): [string, string] => [`id,input,expected,${name}\na,b,b,c\n`, `1:19  unknown column "${name}"`],
  ),
  ['id,input\na,b,c\n', '2:1  3 cells, but the header line has 2'],
  ['id,input,\na,b,c\n', 'a cell without a header: "c"'],
  ['id,input,expected\na,b,\n', 'it would check nothing'],
  ['id,input,assert\na,b,[ ]\n', 'it would check nothing'],
  ['id,input,assert\na,b,Paris is nice\n', '2:5  expected an assertion'],
  ['id,input,assert\na,b,{"type"\n', 'a " inside a cell'],
  ['id,input,assert\na,b,"{""type"""\n', '2:5  not JSON'],
  ['id,input,expect\na,b,c\n', 'unknown field "expect"'],
  ['id,input,expected\na,b,c\n"x\ny",b,c\n', 'id'],
  ['id,input,expected\na,b,c\na,d,e\n', '3:1 id duplicate id "a": first on line 2, again on line 3'],
  ['id,input,skip\na,b,perhaps\n', 'skip must be boolean'],
  ['id,input\ra,b\r', 'CR line endings'],
  [Buffer.from([0x69, 0x64, 0x2c, 0x69, 0x6e, 0x70, 0x75, 0x74, 0x0a, 0x61, 0x2c, 0xe9, 0x0a]), '2:3  not UTF-8'],
])('%j: %s', async (text, problem) => expect((await open(text)).map(String).join('\n')).toContain(problem))

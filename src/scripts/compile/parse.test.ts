import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { discoverTests } from './discover.js'
import { parseScript } from './parse.js'
import { conformance } from '../../../test/support/script-app.js'

async function tests(source: string, file = 'x_test.ts'): Promise<string[]> {
  const syntax = await parseScript(`/app/${file}`, source, '/app')
  return discoverTests(syntax, 'scripts.a.x').map(({ name, line }) => `${name}:${line}`)
}

for (const { area, name, given, expect: wanted } of conformance('script.jsonl')) {
  if (area !== 'discover') continue
  test(`as the original: ${name}`, async () => {
    // One sample stops in the middle of a function; a parser needs the rest of it.
    const source = given['source'] as string
    const found = await tests(source.endsWith('{') ? `${source}}` : source)
    expect(found.map((item) => item.split(':')[0])).toEqual(wanted['tests'])
  })
}

test('finds every form of a test, in source order, with its line', async () => {
  const source = `// @ts-nocheck
export function TestA(t: testing.T, ctx: agent.Context) {}
async function TestB(t) {}
const TestC = (t) => {}
export const TestD = async function (t: T): Promise<void> {},
  TestE = (async <T,>(t: T) => {}) satisfies unknown
export default function TestF(t) {}
let TestG = function named() {} as any
const TestH = withShop('books', async (t) => {})
`
  const found = ['TestA:2', 'TestB:3', 'TestC:4', 'TestD:5', 'TestE:6', 'TestF:7', 'TestG:8', 'TestH:9']
  expect(await tests(source)).toEqual(found)
})

test('is not fooled by what only looks like a test', async () => {
  const source = `
/* function TestComment() {} */
const text = \`
function TestInText(t) {}
\`
function helper() { function TestNested() {} }
class TestClass {}
const TestData = { a: 1 }
const TestCount = 3
const TestUsers = names.map((name) => ({ name }))
const TestUser = makeUser()
const other = withShop((t) => {})
declare function TestDeclared(t: any): void
interface TestShape {}
type TestType = () => void
function testLower() {}
function myTestX() {}
function TestMain(m) {}
`
  expect(await tests(source)).toEqual([])
})

test('overloads are one test', async () => {
  expect(await tests('function TestA(t: string): void\nfunction TestA(t: any) {}')).toEqual(['TestA:2'])
})

test('a mistake is named with line and column', async () => {
  const syntax = await parseScript('/app/src/x_test.ts', 'function TestA(t) {}\n\nfunction (', '/app')
  expect(syntax.problem).toMatchObject({ file: 'src/x_test.ts', line: 3 })
  expect(syntax.functions).toEqual([])
})

test('types are not exports', async () => {
  const source = `interface I {}
type T = 1
export { I, T, value }
export type { I as J }
const value = 1
export { other as renamed } from './o'
export * from './star'
export * as ns from './ns'`
  const syntax = await parseScript('/app/x.ts', source, '/app')
  expect(syntax.exports).toEqual(['value', 'renamed', 'ns'])
  expect(syntax.stars).toEqual(['./star'])
})

test('knows every name bound at the top level', async () => {
  const source = `import a, { b as c } from 'x'
import * as d from 'y'
const { e, f: [g, ...h], i = 1 } = {} as any
function j() {} class k {} enum l { x }`
  const syntax = await parseScript('/app/x.ts', source, '/app')
  expect([...syntax.bindings].toSorted()).toEqual(['a', 'c', 'd', 'e', 'g', 'h', 'i', 'j', 'k', 'l'])
})

test('any mix of functions and noise: the tests, in order, at their lines', async () => {
  const name = fc.stringMatching(/^[A-Za-z_]{1,8}$/)
  const noise = fc.constantFrom(
    '// function TestNo() {}',
    '/* TestNo */',
    'const s = "function TestNo() {}"',
    '',
    'var é = 1',
  )
  const line = fc.oneof(
    noise.map((text) => ({ text, test: undefined as string | undefined })),
    fc
      .record({ name, form: fc.constantFrom('f', 'a', 'c'), exported: fc.boolean() })
      .map(({ name: own, form, exported }) => {
        const full = `Test${own}`
        const body =
          form === 'f'
            ? `function ${full}(t) {}`
            : form === 'a'
              ? `async function ${full}(t) {}`
              : `const ${full} = (t) => {}`
        return { text: exported ? `export ${body}` : body, test: full === 'TestMain' ? undefined : full }
      }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(line, { selector: (item) => item.test ?? item.text, maxLength: 12 }),
      async (lines) => {
        const wanted = lines.flatMap((item, index) => (item.test ? [`${item.test}:${index + 1}`] : []))
        expect(await tests(lines.map((item) => item.text).join('\n'))).toEqual(wanted)
      },
    ),
    { numRuns: 200 },
  )
})

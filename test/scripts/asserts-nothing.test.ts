// A test whose source cannot fail is marked, on the console and in every report; with --strict it fails.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

const FILES = {
  'assistants/shop/package.yao': '{ "name": "shop" }',
  'assistants/shop/src/some_test.ts': `
function TestNothing(t) { t.log('hello') }
function TestHonest(t) { if (1 > 2) t.Error('no') }
function TestHelper(t) { helper(t) }
function helper(t) { t.assert.True(true) }
function TestSkipped(t) { t.skip('later') }
`,
}
const WORDS = 'asserts nothing: no t.assert, t.Error, t.Fail or t.Fatal in its source'

test('a test that asserts nothing is marked', async () => {
  const cwd = makeFolder(FILES)
  const reports = ['o.jsonl', 'r.json', 'r.md', 'r.xml', 'r.html'].flatMap((name) => ['-o', name])
  const run = await viva(['agent', 'test', '-i', 'scripts.shop.some', ...reports], { cwd })
  expect(run.code).toBe(0)
  expect(run.stdout).toMatch(new RegExp(`\\[TestNothing\\] \\.\\.\\.\\n.*PASSED.*\\n    ⚠ ${WORDS}`))
  expect(run.stdout.split(WORDS)).toHaveLength(2)
  const text = (name: string): string => readFileSync(join(cwd, name), 'utf8')
  const results = parseEvents(text('o.jsonl')).filter((event) => event.type === 'result')
  expect(results.map(({ name, status, asserts_nothing }) => [name, status, asserts_nothing])).toEqual([
    ['TestNothing', 'passed', true],
    ['TestHonest', 'passed', undefined],
    ['TestHelper', 'passed', undefined],
    ['TestSkipped', 'skipped', true],
  ])
  expect(JSON.parse(text('r.json'))).toMatchObject({
    results: [{ name: 'TestNothing', asserts_nothing: true }, {}, {}, {}],
  })
  for (const name of ['r.md', 'r.xml', 'r.html']) expect(text(name), name).toContain('asserts nothing')
})

test('with --strict it fails', async () => {
  const cwd = makeFolder({
    ...FILES,
    'assistants/shop/src/some_test.ts':
      'function TestNothing(t) { t.log(1) }\nfunction TestHonest(t) { if (1 > 2) t.Error(1) }',
  })
  const run = await viva(['agent', 'test', '-i', 'scripts.shop.some', '--strict', '-o', 'o.jsonl'], { cwd })
  const results = parseEvents(readFileSync(join(cwd, 'o.jsonl'), 'utf8')).filter((event) => event.type === 'result')
  expect(results).toMatchObject([
    { name: 'TestNothing', status: 'failed', error: `${WORDS} (--strict)` },
    { name: 'TestHonest', status: 'passed' },
  ])
  expect(run.code).toBe(1)
})

test('a generator, of which nothing runs, fails', async () => {
  const cwd = makeFolder({
    'assistants/shop/package.yao': '{ "name": "shop" }',
    'assistants/shop/src/some_test.ts': `
function* TestGenerator(t) { t.assert.Equal(1, 2) }
async function* TestAsyncGenerator(t) { t.assert.Equal(1, 2) }
async function TestReturned(t) { t.assert.True(true); return TestGenerator(t) }
function TestSubtest(t) { t.run('sub', function* (t) { t.assert.Equal(1, 2) }) }
function TestPlain(t) { for (const one of (function* () { yield 1 })()) t.assert.Equal(one, 1) }
`,
  })
  const run = await viva(['agent', 'test', '-i', 'scripts.shop.some', '-o', 'o.jsonl'], { cwd })
  const results = parseEvents(readFileSync(join(cwd, 'o.jsonl'), 'utf8')).filter((event) => event.type === 'result')
  expect(results.map(({ name, status }) => [name, status])).toEqual([
    ['TestGenerator', 'failed'],
    ['TestAsyncGenerator', 'failed'],
    ['TestReturned', 'failed'],
    ['TestSubtest', 'failed'],
    ['TestPlain', 'passed'],
  ])
  expect(run.stdout).toContain('a generator was returned: nothing in it has run')
})

test('what is written as a call is a test too, and a function is no condition', async () => {
  const cwd = makeFolder({
    'assistants/shop/package.yao': '{ "name": "shop" }',
    'assistants/shop/src/some_test.ts': `
const wrap = (fn) => (t) => fn(t)
const TestWrapped = wrap((t) => t.assert.Equal(1, 2))
const isOpen = () => false
function TestUncalled(t) { t.assert.True(isOpen) }
function TestCalled(t) { t.assert.False(isOpen()) }
`,
  })
  const run = await viva(['agent', 'test', '-i', 'scripts.shop.some', '-o', 'o.jsonl'], { cwd })
  const results = parseEvents(readFileSync(join(cwd, 'o.jsonl'), 'utf8')).filter((event) => event.type === 'result')
  expect(results.map(({ name, status }) => [name, status])).toEqual([
    ['TestWrapped', 'failed'],
    ['TestUncalled', 'failed'],
    ['TestCalled', 'passed'],
  ])
  expect(run.stdout).toContain('forgot to call it?')
})

test('a function that a test returns has not run', async () => {
  const cwd = makeFolder({
    'assistants/shop/package.yao': '{ "name": "shop" }',
    'assistants/shop/src/some_test.ts': `
const withShop = (fn) => (t) => fn(t)
const TestCurried = () => withShop((t) => t.assert.Equal(1, 2))
async function TestLater() { return (t) => t.assert.Equal(1, 2) }
function TestSubtest(t) { t.run('sub', () => (t) => t.assert.Equal(1, 2)) }
function BeforeEach() { return () => {} }
function TestPlain(t) { t.assert.True(true) }
`,
  })
  const run = await viva(['agent', 'test', '-i', 'scripts.shop.some', '-o', 'o.jsonl'], { cwd })
  const results = parseEvents(readFileSync(join(cwd, 'o.jsonl'), 'utf8')).filter((event) => event.type === 'result')
  expect(results.map(({ name, status }) => [name, status])).toEqual([
    ['TestCurried', 'failed'],
    ['TestLater', 'failed'],
    ['TestSubtest', 'failed'],
    ['TestPlain', 'passed'],
  ])
  expect(run.stdout).toContain('a function was returned: nothing in it has run')
})

test('a function that is named like a test, and not recognised as one, is an error', async () => {
  const shared = 'export function TestShared(t) { t.assert.Equal(1, 2) }'
  const esm = `
export * from './shared'
export { check as TestRenamed }
const check = (t) => t.assert.Equal(1, 2)
const TestAlias = check, TestData = { check }, { TestPart } = { TestPart: check }
class TestClient {}
function TestFine(t) { new TestClient(); t.assert.NotNil(TestData) }
function TestOther(t) { t.assert.True(true) }
`
  const commonJs = `
exports.TestOld = (t) => t.assert.Equal(1, 2)
function TestFine(t) { t.assert.True(true) }
`
  const cwd = makeFolder({
    'assistants/shop/package.yao': '{ "name": "shop" }',
    'assistants/shop/src/shared.ts': shared,
    'assistants/shop/src/esm_test.ts': esm,
    'assistants/shop/src/old_test.js': commonJs,
  })
  const run = await viva(['agent', 'test', '-i', 'scripts.shop.*', '--run', 'TestFine', '-o', 'o.jsonl'], { cwd })
  const errors = parseEvents(readFileSync(join(cwd, 'o.jsonl'), 'utf8')).filter((event) => event.type === 'error')
  const lost = ['esm.TestAlias', 'esm.TestPart', 'esm.TestRenamed', 'esm.TestShared', 'old.TestOld']
  expect(errors.map(({ where }) => String(where)).toSorted()).toEqual(lost.map((name) => `scripts.shop.${name}`))
  expect(run.stdout).toContain('TestAlias was not run: write it as function TestAlias(t, ctx) { … }')
  expect(run.stdout).toContain('2 passed, 0 failed')
  expect(run.code).toBe(1)
})

test('a test inside a block would never run, so it fails', async () => {
  const cwd = makeFolder({
    'assistants/shop/package.yao': '{ "name": "shop" }',
    'assistants/shop/src/some_test.ts': `
function TestFine(t) { t.assert.True(true); function TestInner() {} }
if (process) { function TestIf(t) { t.assert.Equal(1, 2) } } else { const TestElse = (t) => t.assert.Equal(1, 2) }
try { { function TestTry(t) {} } } finally { function AfterEach(t) { t.assert.Equal(1, 2) } }
switch (1) { case 1: function TestCase(t) {} }
for (const x of [1]) { function TestFine(t) {} }
namespace Shop { export function TestSpace(t) { t.assert.Equal(1, 2) } }
`,
    'assistants/shop/src/only_test.ts': 'if (true) { function TestOnly(t) { t.assert.Equal(1, 2) } }\n',
  })
  const run = await viva(['agent', 'test', '-i', 'scripts.shop.*', '-o', 'o.jsonl'], { cwd })
  const results = parseEvents(readFileSync(join(cwd, 'o.jsonl'), 'utf8')).filter((event) => event.type === 'result')
  const status = Object.fromEntries(results.map(({ id, status }) => [String(id).slice('scripts.shop.'.length), status]))
  expect(status).toEqual({
    'only.TestOnly': 'failed',
    'some.TestIf': 'failed',
    'some.TestElse': 'failed',
    'some.TestTry': 'failed',
    'some.AfterEach': 'failed',
    'some.TestCase': 'failed',
    'some.TestFine:6': 'failed',
    'some.TestSpace': 'failed',
    'some.TestFine': 'passed',
  })
  expect(run.stdout).toContain('it was not run, because it stands inside a block')
  expect(run.code).toBe(1)
})

test('a setup function may be any function', async () => {
  const cwd = makeFolder({
    'assistants/shop/package.yao': '{ "name": "shop" }',
    'assistants/shop/src/some_test.ts': `
const check = (t) => t.assert.Equal(1, 2)
const AfterEach = check
function TestFine(t) { t.assert.True(true) }
`,
  })
  const run = await viva(['agent', 'test', '-i', 'scripts.shop.some'], { cwd })
  expect(run.stdout).toContain('0 passed, 1 failed')
})

test('a file of several without a test is a warning', async () => {
  const cwd = makeFolder({
    'assistants/shop/package.yao': '{ "name": "shop" }',
    'assistants/shop/src/fine_test.ts': 'function TestFine(t) { t.assert.True(true) }',
    'assistants/shop/src/lost_test.ts': 'function testLost(t) { t.assert.Equal(1, 2) }',
  })
  const run = await viva(['agent', 'test', '-i', 'scripts.shop.*'], { cwd })
  expect(run.stderr).toContain('warning: no test function in assistants/shop/src/lost_test.ts')
  expect(run.code).toBe(0)
})

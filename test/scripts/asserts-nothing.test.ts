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
  const run = await viva(['test', '-i', 'scripts.shop.some', ...reports], { cwd })
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
  const run = await viva(['test', '-i', 'scripts.shop.some', '--strict', '-o', 'o.jsonl'], { cwd })
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
  const run = await viva(['test', '-i', 'scripts.shop.some', '-o', 'o.jsonl'], { cwd })
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
  const run = await viva(['test', '-i', 'scripts.shop.some', '-o', 'o.jsonl'], { cwd })
  const results = parseEvents(readFileSync(join(cwd, 'o.jsonl'), 'utf8')).filter((event) => event.type === 'result')
  expect(results.map(({ name, status }) => [name, status])).toEqual([
    ['TestWrapped', 'failed'],
    ['TestUncalled', 'failed'],
    ['TestCalled', 'passed'],
  ])
  expect(run.stdout).toContain('forgot to call it?')
})

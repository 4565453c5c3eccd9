import { expect, test } from 'vitest'
import { discoverTests } from './discover.js'
import { parseScript } from './parse.js'

async function marked(source: string): Promise<string[]> {
  const syntax = await parseScript('/app/a_test.ts', source, '/app')
  expect(syntax.problem).toBeUndefined()
  return discoverTests(syntax, 'a').flatMap(({ name, asserts_nothing }) => (asserts_nothing ? [name] : []))
}

test.for([
  `function TestX(t) { t.assert.Equal(1, 1) }`,
  `function TestX(t) { if (broken()) t.Error('no') }`,
  `function TestX(t) { try { a() } catch (e) { t.fail(e) } }`,
  `const TestX = async (t: testing.T) => { await a(); t.fatal() }`,
  `function TestX(t) { t['assert'].True(1) }`,
  `function TestX(t) { const { assert } = t; assert.True(1) }`,
  `function TestX({ assert }) { assert.True(1) }`,
  `function TestX(t) { helper(t, 1) }\nfunction helper(t) { t.assert.True(1) }`,
  `function TestX(t) { [1, 2].forEach((n) => t.assert.True(n)) }`,
  `function TestX(t) { t.run('part', (s) => { s.assert.True(1) }) }`,
  `function TestX(t) { t.run('part', part) }\nfunction part(s) { s.assert.True(1) }`,
  `function TestX(t) { t.run('part', imported) }`,
  `function TestX(t) { t.run('part', () => t.assert.True(1)) }`,
  `function TestX(t) { t.mock('a', () => { throw new Error('called') }) }`,
  `import assert from 'node:assert'\nfunction TestX() { assert.equal(1, 1) }`,
  `function TestX() { expect(1).toBe(1) }`,
  `function TestX(t) { value.should.equal(1) }`,
  `function TestX() { if (bad()) throw new Error('bad') }`,
  `function TestX() { prove() }\nfunction prove() { if (bad()) throw new Error('bad') }`,
  `function TestX(t) { t.log(1) }\nfunction AfterEach(t) { t.assert.True(clean()) }`,
  `function TestX(t) { (t as any).assert.True(1) }`,
  `function TestX(t) { t!.assert.True(1) }`,
  `function TestX(t) { t?.assert?.True(1) }`,
  `const TestX = withShop((t) => t.assert.True(1))`,
])('%s', async (source) => {
  expect(await marked(source)).toEqual([])
})

test.for([
  `function TestX(t) {}`,
  `function TestX() {}`,
  `function TestX(t) { t.log('hello', t.name) }`,
  `function TestX(t) { run(); t.cleanup(() => stop()) }`,
  `function TestX(t) { const a = { t: 1 }; log(a.t) }`,
  `function TestX(t) { t.run('part', (s) => { s.log(1) }) }`,
  `function TestX(t) { loop() }\nfunction loop() { loop() }`,
  `const TestX = async () => { await work() }`,
  `function TestX(t) { t.mock('a', 1); Process('a') }`,
  `function TestX(t) { t.assert.True }`,
  `const TestX = withShop((t) => { t.log(1) })`,
])('asserts nothing: %s', async (source) => {
  expect(await marked(source)).toEqual(['TestX'])
})

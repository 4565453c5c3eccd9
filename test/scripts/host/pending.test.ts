// Work that a test leaves behind: an error with its name, or nothing where nothing was forgotten.
import { afterEach, expect, test } from 'vitest'
import { makeApp, runTests, type TestApp } from '../../support/script-app.js'

let app: TestApp | undefined

afterEach(() => app?.remove())

const WORK = `
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export async function never() { await new Promise(() => {}) }
export async function slow() { await sleep(60_000) }
export class Server {
  closed = new Promise(() => {})
  start() { void this.loop(); this.timer = setInterval(() => {}, 1000); return this }
  async loop() { for (;;) await sleep(60_000) }
}`

async function run(body: string): Promise<string[]> {
  app = makeApp({
    'src/work.ts': WORK,
    'src/left_test.ts': `import { never, Server, sleep, slow } from './work'\nfunction TestFirst(t) {}\n${body}`,
  })
  const { errors, order } = await runTests(app.root, 'scripts.expense.left')
  expect(order).toEqual(['TestFirst passed', 'TestLeft passed'])
  return errors.map(({ message, where }) => `${where}: ${message}`)
}

test.for([
  [
    'an async callback of a list',
    `function TestLeft(t) { [1].forEach(async () => { await sleep(60_000); t.assert.True(false) }) }`,
  ],
  [
    'an async function of its own',
    `function TestLeft(t) { check(t) }\nasync function check(t) { await sleep(60_000); t.assert.True(false) }`,
  ],
  [
    'one that can never go on',
    `function TestLeft(t) { check(t) }\nasync function check(t) { await never(); t.assert.True(false) }`,
  ],
  ['one of another file', `async function TestLeft(t) { await sleep(1); slow() }`],
  ['a callback', `function TestLeft(t) { sleep(60_000).then(() => t.assert.True(false)) }`],
  [
    'a callback of what never settles',
    `function TestLeft(t) { new Promise(() => {}).then(() => t.assert.True(false)) }`,
  ],
  [
    'a promise with a timer',
    `function TestLeft(t) { new Promise((done) => setTimeout(() => { t.assert.True(false); done() }, 60_000)) }`,
  ],
  ['a timer with an assertion', `function TestLeft(t) { setTimeout(() => t.assert.True(false), 60_000) }`],
  [
    'a forgotten subtest',
    `function TestLeft(t) { helper(async () => { await sleep(60_000) }) }\nfunction helper(fn) { fn() }`,
  ],
])('%s is reported with its test and its line', async ([, body]) => {
  const errors = await run(body ?? '')
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatch(
    /^scripts\.expense\.left\.TestLeft: TestLeft has ended, and work that it started has not: forgot await\?\n\s+at .*left_test\.ts:\d+/s,
  )
})

test.for([
  [
    'everything awaited',
    `async function TestLeft(t) { await sleep(1); await Promise.all([sleep(1), sleep(2).then(() => 1)]) }`,
  ],
  [
    'the loser of a race',
    `async function TestLeft(t) { await Promise.race([sleep(60_000).then(() => { throw new Error('late') }), slow(), sleep(1)]) }`,
  ],
  [
    'a promise for the timeout',
    `async function TestLeft(t) { await Promise.race([sleep(1), new Promise((_, fail) => setTimeout(fail, 60_000))]) }`,
  ],
  [
    'a timer that aborts',
    `async function TestLeft(t) { const stop = new AbortController(); setTimeout(() => stop.abort(), 60_000); await sleep(1) }`,
  ],
  ['what a class does in the background', `async function TestLeft(t) { new Server().start(); await sleep(1) }`],
  ['work that ends in time', `function TestLeft(t) { sleep(5).then(() => 1) }`],
  [
    'a server that never answers',
    `async function TestLeft(t) {
  const server = require('node:http').createServer(async () => { await never() }).listen(0)
  await new Promise((done) => server.once('listening', done))
  const signal = AbortSignal.timeout(20)
  t.assert.Error(await fetch('http://127.0.0.1:' + server.address().port, { signal }).catch((error) => error))
}`,
  ],
  ['an interval', `function TestLeft(t) { setInterval(() => {}, 1000) }`],
  [
    'a fetch whose answer is not read',
    `async function TestLeft(t) {
  const server = require('node:http').createServer((_, answer) => answer.end('x'.repeat(200_000))).listen(0)
  await new Promise((done) => server.once('listening', done))
  const answer = await fetch('http://127.0.0.1:' + server.address().port)
  t.assert.Equal(answer.status, 200)
}`,
  ],
])('%s is nothing to report', async ([, body]) => {
  expect(await run(body ?? '')).toEqual([])
})

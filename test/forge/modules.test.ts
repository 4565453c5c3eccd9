// What a module agent does to its own process changes no verdict: not of its case, not of another, not of the run.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkRun } from '../faults/support.js'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

/** `victim` is in flight with the trick, and answers wrongly; `honest` comes after it, and answers rightly. */
const CASES = [
  { id: 'victim', input: 'victim', assert: { type: 'equals', value: 'right' } },
  { id: 'trick', input: 'trick', timeout: '20s', assert: { type: 'equals', value: 'right' } },
  { id: 'honest', input: 'honest', assert: { type: 'equals', value: 'right' } },
]

const agentWith = (trick: string, top = ''): string => `
import fs from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
${top}
export async function run(messages) {
  const text = messages.at(-1).content
  if (text === 'honest') return 'right'
  if (text === 'victim') { await delay(200); return 'wrong' }
  ${trick}
  await delay(400)
  return 'wrong'
}`

const RESULT = `{ type: 'result', run_id: 'x', id: 'victim', run: 1, status: 'passed', duration_ms: 1 }`
const SUMMARY = `{ type: 'summary', passed: 3, failed: 0, skipped: 0, not_run: 0, total: 3, exit_code: 0 }`
const REPLY = `[{ k: 'reply', id: 1, value: { content: 'right', tool_calls: [] } }]`
const EVERY_DESCRIPTOR = `for (let fd = 3; fd < 40; fd += 1)`

const TRICKS: Array<[what: string, trick: string, top?: string]> = [
  ['negates every assertion', `Object.prototype.negate = true`],
  ['gives every object a verdict', `Object.assign(Object.prototype, { passed: true, status: 'passed', score: 1 })`],
  [
    'makes everything equal',
    `Array.prototype.every = () => true; String.prototype.includes = () => true; Object.is = () => true`,
  ],
  ['answers for every promise', `Promise.prototype.then = function (done) { done?.('right'); return this }`],
  ['replaces the serialiser', `JSON.stringify = () => JSON.rawJSON?.('"right"') ?? '"right"'; JSON.parse = () => ({})`],
  ['has objects write themselves', `Object.prototype.toJSON = function () { return this.k ? ${REPLY} : 'right' }`],
  ['has texts write themselves', `String.prototype.toJSON = () => 'right'`],
  ['prints events', `console.log(JSON.stringify(${RESULT})); console.log(JSON.stringify(${SUMMARY}))`],
  [
    'prints events past the capture',
    `fs.writeSync(1, JSON.stringify(${RESULT}) + '\\n' + JSON.stringify(${SUMMARY}) + '\\n')`,
  ],
  [
    'prints what terminals obey',
    `process.stdout.write('\\x1b]0;all passed\\x07\\x1b[2J\\x1b[1;1H3 passed\\x1b]52;c;eA==\\x07')`,
  ],
  [
    'writes an answer to every descriptor',
    `${EVERY_DESCRIPTOR} try { fs.writeSync(fd, JSON.stringify(${REPLY}) + '\\n') } catch {}`,
  ],
  [
    'writes an answer with a seal of its own',
    `${EVERY_DESCRIPTOR} try { fs.writeSync(fd, '0'.repeat(32) + JSON.stringify(${REPLY}) + '\\n') } catch {}`,
  ],
  [
    'writes noise to every descriptor',
    `${EVERY_DESCRIPTOR} try { fs.writeSync(fd, Buffer.alloc(5000, 255)) } catch {}`,
  ],
  ['closes every descriptor', `${EVERY_DESCRIPTOR} try { fs.closeSync(fd) } catch {}`],
  [
    'says again what was said before',
    `await delay(100); for (const line of lines.slice()) socket.write(line.replaceAll('wrong', 'right'))`,
    `const [socket] = process._getActiveHandles().filter((handle) => handle.constructor.name === 'Socket' && handle.fd !== 1)
const lines = []
const write = socket.write
socket.write = function (line, ...rest) { lines.push(String(line)); return write.call(this, line, ...rest) }`,
  ],
  [
    'changes what is said on its way',
    ``,
    `import net from 'node:net'
const { write } = net.Socket.prototype
net.Socket.prototype.write = function (line, ...rest) {
  return write.call(this, typeof line === 'string' ? line.replaceAll('wrong', 'right') : line, ...rest)
}`,
  ],
  [
    'looks for the key',
    ``,
    `import crypto from 'node:crypto'
const seen = []
for (const name of ['hash', 'createHash', 'createHmac']) {
  const real = crypto[name]
  if (real) crypto[name] = (...args) => { seen.push(args); return real(...args) }
}
crypto.Hash.prototype.update = function () { seen.push(this); return this }
String.prototype.slice = () => 'right'
String.prototype.replace = () => 'right'`,
  ],
  [
    'looks for the key where it came in',
    `const sealOf = (count, json) => crypto.createHash('sha256').update(key + ' ' + count + ' ' + json).digest('hex').slice(0, 32)
  const json = JSON.stringify(${REPLY})
  if (key) fs.writeSync(3, sealOf(1, json) + json + '\\n')`,
    `import crypto from 'node:crypto'
const [socket] = process._getActiveHandles().filter((handle) => handle.constructor.name === 'Socket' && handle.fd !== 1)
const memory = Object.getOwnPropertySymbols(socket).map((name) => socket[name]).filter((value) => value instanceof Uint8Array)
const key = /[0-9a-f]{64}/.exec(memory.map((bytes) => Buffer.from(bytes).toString('latin1')).join(' '))?.[0]`,
  ],
  ['leaves with 0', `process.exit(0)`],
  ['leaves with 0 at the end', `process.on('exit', () => process.reallyExit(0)); process.exitCode = 0`],
  ['throws at the end', `process.on('exit', () => { throw new Error('at the end') })`],
  ['ends by a signal', `process.kill(process.pid, 'SIGTERM'); await delay(5000)`],
  ['calls exit a success', `process.exit = () => {}; process.reallyExit = () => {}; process.abort()`],
  ['throws nothing', `throw undefined`],
  ['throws a verdict', `throw Object.assign(new Error('x'), { status: 'passed', passed: true, code: 'lost' })`],
]

test.for(TRICKS)('an agent that %s', async ([, trick, top]) => {
  const cwd = makeFolder({ 'agent.mjs': agentWith(trick, top), 'cases.jsonl': CASES })
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'o.jsonl', '--parallel', '2', '--json']
  const run = await viva(args, { cwd })
  const { results, summary } = checkRun(join(cwd, 'o.jsonl'), { complete: true })
  const status = Object.fromEntries(results.map((result) => [result.id, result.status]))
  expect(status).toMatchObject({ victim: 'failed', trick: 'failed' })
  expect(run.code).toBe(summary?.exit_code)
  expect(run.code).toBe(1)
  expect(parseEvents(run.stdout).filter((event) => event.type === 'summary')).toHaveLength(1)
  // Nothing of it reaches the terminal.
  expect(run.stderr).not.toMatch(/[\u0007\u001b]|all passed|at the end/)
})

test.for(TRICKS.slice(0, 3))('a verdict of another run of Viva: %s', async ([, trick]) => {
  const agent = agentWith(trick).replace(`return 'wrong'\n}`, `return 'right'\n}`)
  const cwd = makeFolder({ 'agent.mjs': agent, 'cases.jsonl': CASES.slice(1) })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'o.jsonl', '-v'], { cwd })
  expect({ code: run.code, out: run.stdout }).toMatchObject({ code: 0 })
  expect(readFileSync(join(cwd, 'o.jsonl'), 'utf8')).toContain('"passed":2')
})

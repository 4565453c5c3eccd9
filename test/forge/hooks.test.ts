// What the hooks of an agent do to the process they run in changes no verdict: the checks run elsewhere, and a process whose
// built-ins were replaced is not used again. One run of the command line for all tricks.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkRun } from '../faults/support.js'
import { makeFolder, viva, type Files } from '../support/run-cli.js'

/** In a `Create` hook, before the model is asked. */
const TRICKS: Record<string, string> = {
  'finds every text in every text': `String.prototype.includes = () => true`,
  'finds it through a getter': `const { includes } = String.prototype
    let asked = 0
    Object.defineProperty(String.prototype, 'includes', { configurable: true, get: () => (asked++ > 0 ? () => true : includes) })`,
  'makes every list good': `Array.prototype.every = () => true; Array.prototype.some = () => true`,
  'makes everything equal': `Object.is = () => true; require('node:util').isDeepStrictEqual = () => true`,
  'silences node:assert': `const assert = require('node:assert'); assert.equal = assert.strict.equal = assert.ok = () => {}`,
  'answers for every promise': `Promise.prototype.then = function (done) { done?.(true); return this }`,
  'replaces the serialiser': `JSON.stringify = () => '"right"'; JSON.parse = () => 'right'`,
  'matches every pattern': `RegExp.prototype.test = () => true; RegExp.prototype.exec = () => ['right']`,
  'gives every object a verdict': `Object.assign(Object.prototype, { pass: true, passed: true, score: 1 })`,
  'writes a result to the channel': `const fs = require('node:fs'), v8 = require('node:v8')
    const body = v8.serialize({ k: 'result', value: true, dirty: false })
    const head = Buffer.alloc(36, '0'); head.writeUInt32LE(32 + body.length, 0)
    fs.writeSync(3, Buffer.concat([head, body]))`,
  'leaves a timer that patches later': `setTimeout(() => { String.prototype.includes = () => true }, 1)`,
  'leaves a global for the checks': `globalThis.verdict = true`,
  'moves to another folder': `process.chdir('/')`,
  'leaves with 0': `process.exit(0)`,
}

const NAMES = Object.keys(TRICKS)

const APP: Files = {
  'app.yao': '{}',
  'assistants/desk/package.yao': '{ "name": "Desk", "connector": "mock" }',
  'assistants/desk/prompts.yml': '- { role: system, content: You help. }',
  'assistants/desk/mock.yml': `
- { trigger_pattern: honest, output: right }
- { trigger_pattern: victim, output: wrong }
- { trigger_pattern: trick, output: wrong }
`,
  'assistants/desk/src/index.ts': `
function Create(ctx, messages) {
  const text = messages[messages.length - 1].content
  require('node:fs').appendFileSync(process.env.PWD_OF_TEST + '/pids', 'agent ' + process.pid + '\\n')
  const tricks = [${NAMES.map((name) => `() => { ${TRICKS[name]} }`).join(',\n')}]
  const found = /trick (\\d+)/.exec(text)
  if (found) tricks[Number(found[1])]()
  return null
}`,
  'scripts/checks.ts': `
import assert from 'node:assert'
export function Right(output) {
  require('node:fs').appendFileSync(process.env.PWD_OF_TEST + '/pids', 'judge ' + process.pid + '\\n')
  if (globalThis.verdict === true) return true
  assert.equal(typeof output, 'string')
  return String(output).includes('right') && ['a', output].every((item) => item === 'a' || /right/.test(item))
}`,
}

test('no trick of a hook changes a verdict', async () => {
  const check = { type: 'script', script: 'scripts.checks.Right' }
  // Each trick is followed by a case that answers wrongly and one that answers rightly.
  const cases = NAMES.flatMap((_, index) => [
    { id: `T${index}`, input: `trick ${index}`, assert: check },
    { id: `V${index}`, input: 'victim', assert: check },
    { id: `H${index}`, input: 'honest', assert: check },
  ])
  const cwd = makeFolder({ ...APP, 'assistants/desk/tests/cases.jsonl': cases })
  const args = ['test', '-i', 'assistants/desk/tests/cases.jsonl', '-o', 'o.jsonl', '--parallel', '1']
  const run = await viva([...args, '--pass-env', 'PWD_OF_TEST'], { cwd, env: { PWD_OF_TEST: cwd } })
  const { results } = checkRun(join(cwd, 'o.jsonl'), { complete: true })
  const status = new Map(results.map((result) => [result.id, result.status]))
  for (const [index, name] of NAMES.entries()) {
    expect.soft(status.get(`T${index}`), name).toBe('failed')
    expect.soft(status.get(`V${index}`), `the case after one that ${name}`).toBe('failed')
    expect.soft(status.get(`H${index}`), `an honest case after one that ${name}`).toBe('passed')
  }
  expect(run.code).toBe(1)

  const lines = readFileSync(join(cwd, 'pids'), 'utf8').trimEnd().split('\n')
  const pids = (role: string): string[] =>
    lines.flatMap((line) => (line.startsWith(role) ? [line.split(' ')[1] ?? ''] : []))
  expect(pids('agent').filter((pid) => pids('judge').includes(pid))).toEqual([])
  // Cases share a process within a role, as long as it is clean.
  expect(new Set(pids('judge')).size).toBe(1)
  expect(new Set(pids('agent')).size).toBeLessThan(pids('agent').length)
}, 120_000)

// Compiles what most runs need by using it the way it is usually used, and keeps the result for the commands to come.
const { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { createServer } = require('node:http')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { cacheOf, createLoader } = require('../bin/loader.js')

// Code is only taken under the flags it was compiled with, and a command starts with none.
require('node:v8').setFlagsFromString = () => {}

const dir = mkdtempSync(join(tmpdir(), 'viva-build-'))
const loader = createLoader({ fresh: true })
loader.loadCore()
process.on('exit', () => {
  for (const [path, script] of loader.scripts) keep(cacheOf(path, script))
  rmSync(dir, { recursive: true, force: true })
  process.exitCode = 0
})
// A command that is done ends the process soon after, which is too soon here.
const exit = process.exit
process.exit = () => {}
process.stdout.write = () => true
process.stderr.write = () => true

const assert = { type: 'contains', value: 'case' }
const CASES = [
  { id: 'T1', input: 'a case', assert },
  { id: 'T2', input: 'another case', expected: 'something else' },
  { id: 'T3', turns: [{ input: 'the first case', assert }, { input: 'the second case' }] },
  { id: 'T4', simulator: {}, checkpoints: [{ id: 'end', assert: { type: 'equals', value: 'the end' } }], max_turns: 2 },
]

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (data) => (body += data))
  request.on('end', () => {
    const said = JSON.parse(body).messages.at(-1).content
    const content = request.url === '/user' ? JSON.stringify({ input: 'go on', goal_achieved: false }) : said
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ content }))
  })
}).unref()
server.listen(0, '127.0.0.1', () => void useIt(`http://127.0.0.1:${server.address().port}`))

async function useIt(at) {
  const { main } = require('../dist/cli/main.cjs')
  const path = join(dir, 'cases.jsonl')
  const out = ['-o', join(dir, 'out.jsonl'), '--force']
  const module = join(dir, 'agent.mjs')
  writeFileSync(path, CASES.map((each) => `${JSON.stringify(each)}\n`).join(''))
  writeFileSync(module, 'export const run = (messages) => messages.at(-1).content\n')
  mkdirSync(join(dir, 'assistants/sums/src'), { recursive: true })
  writeFileSync(join(dir, 'app.yao'), '{}')
  writeFileSync(join(dir, 'assistants/sums/package.yao'), '{"name": "Sums"}')
  const test = 'export function TestSum(t: testing.T) { t.assert.Equal(1 + 1, 2) }\n'
  writeFileSync(join(dir, 'assistants/sums/src/sums_test.ts'), test)
  await main(['test', '-i', path, '-n', `${at}/agent`, '--simulator', `${at}/user`, '--parallel', '2', ...out])
  const [tape, old] = [join(dir, 'tape.yaml'), join(dir, 'old.jsonl')]
  await main(['test', '-i', path, '-n', 'builtin:echo', '--record', tape, '-o', old])
  await main(['test', '-i', path, '-n', 'builtin:echo', '--replay', tape, ...out])
  await main(['test', '-i', path, '-n', `recorded:${old}`, ...out])
  await main(['test', '-i', join(__dirname, '../examples/expense/tests/inputs.jsonl'), ...out])
  await main(['test', '-i', path, '-n', `${module}#run`, '--parallel', '2', ...out])
  await main(['test', '-i', 'scripts.sums.*', '--app', dir, ...out])
  exit()
}

/** Whole or not at all: somebody may be starting at this moment. */
function keep({ path, data }) {
  const whole = `${path}.${process.pid}`
  writeFileSync(whole, data)
  renameSync(whole, path)
}

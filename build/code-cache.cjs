// Compiles the core by using it on a few cases, and keeps the result beside it for the commands to come.
const { mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { createServer } = require('node:http')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { CACHE, loadUncached } = require('../bin/load-core.js')

const dir = mkdtempSync(join(tmpdir(), 'viva-build-'))
const assert = { type: 'contains', value: 'case' }
const cases = [
  { id: 'T1', input: 'a case', assert },
  { id: 'T2', input: 'another case', expected: 'something else' },
  { id: 'T3', turns: [{ input: 'the first case', assert }, { input: 'the second case' }] },
]
const path = join(dir, 'cases.jsonl')
const script = loadUncached()
process.on('exit', () => {
  keep(script.createCachedData())
  rmSync(dir, { recursive: true, force: true })
  process.exitCode = 0
})
process.stdout.write = () => true
process.stderr.write = () => true

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (data) => (body += data))
  request.on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ content: JSON.parse(body).messages.at(-1).content }))
  })
}).unref()
server.listen(0, '127.0.0.1', () => {
  writeFileSync(path, cases.map((each) => `${JSON.stringify(each)}\n`).join(''))
  const target = `http://127.0.0.1:${server.address().port}/agent`
  const main = require('../dist/cli/main.cjs').main
  void main(['test', '-i', path, '-n', target, '--parallel', '2', '-o', join(dir, 'out.jsonl')])
})

/** Whole or not at all: somebody may be starting at this moment. */
function keep(code) {
  const whole = `${CACHE}.${process.pid}`
  writeFileSync(whole, code)
  renameSync(whole, CACHE)
}

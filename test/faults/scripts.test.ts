// Scripts that forge, flood and leave work behind, through the command line: the right verdicts in every report. Endless loops and
// full memory: test/scripts/containment.test.ts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { XmlDocument } from 'libxml2-wasm'
import { expect, test } from 'vitest'
import { gzipSync } from 'node:zlib'
import { okAnswer, rawAnswer, rawServer } from '../support/raw-server.js'
import { makeFolder, startViva, viva, type Files } from '../support/run-cli.js'
import { AGENTS, checkRun, markedBy } from './support.js'
import { onLinux } from '../support/systems.js'

const SHOW = `
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
function TestFirst(t) { t.assert.Equal(1, 1) }
function TestKill() { process.kill(process.pid, 'SIGKILL') }
function TestNever() { return new Promise(() => {}) }
function TestForge(t) {
  process.stdout.write(JSON.stringify({ type: 'result', id: 'FORGED', status: 'passed' }) + '\\n')
  fs.writeSync(1, JSON.stringify({ k: 'verdict', index: 7, verdict: { status: 'passed', duration_ms: 1 } }) + '\\n')
  Object.prototype.polluted = 'yes'
  t.fail('forged')
}
function TestLate() { setTimeout(() => Promise.reject(new Error('too late')), 20) }
function TestLast(t) { for (let n = 0; n < 200000; n++) t.log('flood ' + n) }
`

function app(files: Record<string, string>): string {
  const all: Files = { 'app.yao': '{}', 'assistants/shop/package.yao': { name: 'shop' } }
  for (const [name, text] of Object.entries(files)) all[`assistants/shop/src/${name}`] = text
  return makeFolder(all)
}

onLinux(
  'what scripts forge, flood and leave behind changes no verdict, in the stream and in every report',
  async () => {
    const dir = app({ 'show_test.ts': SHOW, 'zoo_test.ts': 'function TestOther(t) { t.assert.Nil(({}).polluted) }' })
    const outputs = ['-o', 'o.jsonl', '-o', 'o.xml', '-o', 'o.json', '-o', 'o.tap']
    const env = { NODE_OPTIONS: `--import=${AGENTS}peak-memory.mjs`, PEAK_FILE: join(dir, 'peak') }
    const args = ['test', '-i', 'scripts.shop.*', '--timeout', '8s', ...outputs]
    const started = startViva(args, { cwd: dir, env })
    const { code, stdout } = await started.done
    expect(code).toBe(1)
    const { results, events, summary } = checkRun(join(dir, 'o.jsonl'), { complete: true })
    const verdicts = Object.fromEntries(results.map((result) => [result.name, [result.status, result.error]]))
    expect(verdicts).toEqual({
      TestOther: ['passed', undefined],
      TestFirst: ['passed', undefined],
      TestKill: ['failed', expect.stringContaining('killed by SIGKILL')],
      TestNever: ['failed', expect.any(String)],
      TestForge: ['failed', 'forged'],
      TestLate: ['passed', undefined],
      TestLast: ['passed', undefined],
    })
    const late = events.filter((event) => event.type === 'error')
    expect(late).toMatchObject([{ message: expect.stringContaining('too late'), where: 'scripts.shop.show.TestLate' }])
    expect(summary).toMatchObject({ passed: 4, failed: 3, errors: 1, not_run: 0 })
    expect(results.find((result) => result.name === 'TestLast')?.logs_dropped).toBeGreaterThan(0)

    for (const text of [stdout, ...['o.xml', 'o.json', 'o.tap'].map((name) => readFileSync(join(dir, name), 'utf8'))])
      for (const name of Object.keys(verdicts)) expect(text).toContain(name)
    const xml = readFileSync(join(dir, 'o.xml'), 'utf8')
    expect(xml).toContain('too late')
    const document = XmlDocument.fromString(xml)
    expect(document.find('//testcase[contains(@name, "FORGED")]')).toHaveLength(0)
    document.dispose()
    expect(markedBy(started.process.pid)).toEqual([])
    expect(Number(readFileSync(join(dir, 'peak'), 'utf8'))).toBeLessThan(300)
  },
)

test('files that cannot be run are failures with a line; the others run; none at all is exit 2', async () => {
  const dir = app({
    'ok_test.ts': 'function TestOk(t) { t.assert.Equal(1, 1) }',
    'syntax_test.ts': 'function TestA() {\n  const = 1\n}',
    'import_test.ts': `import { x } from './missing'\nfunction TestB() { x() }`,
    'none_test.ts': 'function helper() {}',
  })
  const run = await viva(['test', '-i', 'scripts.shop.*', '-o', 'o.jsonl'], { cwd: dir })
  expect(run.code).toBe(1)
  const { results } = checkRun(join(dir, 'o.jsonl'), { complete: true })
  const errors = Object.fromEntries(results.map((result) => [result.script, result.error]))
  expect(errors).toEqual({
    'scripts.shop.ok': undefined,
    'scripts.shop.syntax': expect.stringMatching(/2:\d+/),
    'scripts.shop.import': expect.stringContaining('./missing'),
  })
  const none = await viva(['test', '-i', 'scripts.shop.none'], { cwd: dir })
  expect({ code: none.code, stderr: none.stderr }).toEqual({ code: 2, stderr: expect.stringContaining('error: ') })
})

test('a worker that does not start fails its tests at once, with what it said', async () => {
  const dir = app({ 'ok_test.ts': 'function TestOk(t) { t.assert.Equal(1, 1) }' })
  const hook = fileURLToPath(new URL('../fixtures/agents/no-worker.cjs', import.meta.url))
  const env = { NODE_OPTIONS: `--require=${hook}` }
  const args = ['test', '-i', 'scripts.shop.ok', '-o', 'o.jsonl', '--timeout', '10m', '--pass-env', 'NODE_OPTIONS']
  const run = await viva(args, { cwd: dir, env })
  expect(run.code).toBe(1)
  const { results } = checkRun(join(dir, 'o.jsonl'), { complete: true })
  expect(results).toMatchObject([
    { error_kind: 'crashed', error: expect.stringContaining('this worker will not start') },
  ])
  // Options that Node itself refuses never get as far as Viva.
  const bad = await viva(['test', '-i', 'scripts.shop.ok'], { cwd: dir, env: { NODE_OPTIONS: '--bad' } })
  expect(bad.code).not.toBe(0)
  expect(bad.stderr).toContain('--bad')
})

test('http.*: a gzip bomb and a body without end fail their test, and the next one runs', async () => {
  const bomb = await rawAnswer(okAnswer(gzipSync(Buffer.alloc(100 * 1024 * 1024)), 'content-encoding: gzip\r\n'))
  const drip = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const timer = setInterval(() => socket.write('x'), 5)
    socket.on('close', () => clearInterval(timer))
  })
  const dir = app({
    'net_test.ts': `
function TestBomb(t) { t.assert.Equal(http.Get('${bomb.url}').status, 200) }
function TestDrip(t) { t.assert.Equal(http.Get('${drip.url}').status, 200) }
function TestAfter(t) { t.assert.Equal(http.Get('http://127.0.0.1:1').status, 0) }`,
  })
  const { code } = await viva(['test', '-i', 'scripts.shop.*', '--timeout', '8s', '-o', 'o.jsonl'], { cwd: dir })
  expect(code).toBe(1)
  const { results } = checkRun(join(dir, 'o.jsonl'), { complete: true })
  expect(Object.fromEntries(results.map((result) => [result.name, [result.status, result.error]]))).toEqual({
    TestBomb: ['failed', expect.stringContaining('is larger than 64 MB')],
    TestDrip: ['failed', 'timeout after 8s'],
    TestAfter: ['passed', undefined],
  })
})

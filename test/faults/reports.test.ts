// What agents and authors write never becomes markup, a directive or a command; reporters that fail change no verdict.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'ctrf'
import { parse as parseJunit } from 'junit2json'
import { XmlDocument } from 'libxml2-wasm'
import { marked } from 'marked'
import { Parser } from 'tap-parser'
import { expect, test } from 'vitest'
import { makeFolder, viva, type CliRun, type Files } from '../support/run-cli.js'
import { AGENTS, checkRun, linesOf, manyCases } from './support.js'

const HOSTILE = [
  '<script>FORGED</script>',
  ']]></failure><testcase name="FORGED"/><![CDATA[',
  '&lt;FORGED&gt; &#0; &unknown;',
  'ok 1 - FORGED # SKIP',
  'not ok # TODO FORGED',
  'x\nBail out! FORGED\n1..0\nok 99 - FORGED',
  '| a | b |\n| --- | --- |',
  '![beacon](https://evil.example/x.png) [link](javascript:FORGED)',
  '```\nout of the fence <img src=x onerror=FORGED>\n````',
  '::error file=a,line=1::FORGED\n::add-mask::FORGED\n::set-output name=a::FORGED',
  "##vso[task.setvariable variable=a]FORGED\n##teamcity[testFailed name='FORGED']",
  '=HYPERLINK("https://evil.example","x")',
  '\u001b[2J\u001b]0;FORGED\u0007\u001b[31mred\u009b31m',
  'nul \u0000 bell \u0007 del \u007f fffe \ufffe lone \ud800 rtl \u202e ls \u2028',
  '\r\u001b[1A\u001b[2KFORGED passed',
]

/** Control characters are refused in ids, as they should be. */
function asId(text: string, index: number): string {
  // oxlint-disable-next-line no-control-regex -- exactly those.
  return `${index} ${text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202e\ufffe\ud800]/g, ' ').trim()}`
}

function folder(files: Files): string {
  const dir = makeFolder(files)
  copyFileSync(join(AGENTS, 'forges.mjs'), join(dir, 'agent.mjs'))
  return dir
}

const cases = HOSTILE.map((text, index) => ({
  id: asId(text, index),
  name: asId(text, index),
  input: text,
  tags: [asId(text, 0)],
  metadata: { [text]: text },
  assert: [{ type: 'equals', value: `not ${text}`, message: `${text} is wrong` }],
}))

async function runHostile(args: string[], env: Record<string, string> = {}): Promise<CliRun> {
  const dir = folder({ 'cases.jsonl': cases })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', '-o', 'o.jsonl', ...args], {
    cwd: dir,
    env,
  })
  expect(run.stderr).not.toContain('error: ')
  expect(run.code).toBe(1)
  return run
}

test('JUnit, TAP, CTRF and Markdown stay what they are', async () => {
  const { dir } = await runHostile(['-o', 'o.xml', '-o', 'o.tap', '-o', 'o.ctrf.json', '-o', 'o.md'])
  const read = (name: string) => readFileSync(join(dir, name), 'utf8')
  const count = HOSTILE.length

  const document = XmlDocument.fromString(read('o.xml'))
  expect(document.find('//testcase')).toHaveLength(count)
  expect(document.find('//testcase[@name="FORGED"]')).toHaveLength(0)
  document.dispose()
  expect(await parseJunit(read('o.xml'))).toBeDefined()

  const tap = await parseTap(read('o.tap'))
  expect(tap).toEqual({ ok: false, count, fail: count, skip: 0, todo: 0, bailout: false })

  const ctrf = JSON.parse(read('o.ctrf.json')) as Parameters<typeof validate>[0]
  expect(validate(ctrf)).toMatchObject({ valid: true })

  const html = await marked.parse(read('o.md'), { gfm: true })
  expect(html).not.toMatch(/<(?:img|a|script|iframe)\b/)
  for (const [, row = ''] of html.matchAll(/<tr>(.*?)<\/tr>/gs))
    expect([2, 3, 4]).toContain(row.match(/<t[hd]/g)?.length)
})

test('the terminal and a build server see no command but ours', async () => {
  const run = await runHostile(['-v'], { GITHUB_ACTIONS: 'true' })
  for (const line of [
    ...run.stdout.split('\n'),
    ...run.stderr.split('\n').filter((text) => !text.startsWith('::error ')),
  ])
    expect(line).not.toMatch(/^\s*(?:::|##)/)
  const ours = run.stderr.split('\n').filter((line) => line.startsWith('::'))
  expect(ours).toHaveLength(HOSTILE.length)
  for (const line of ours) expect(line).toMatch(/^::error file=cases\.jsonl,line=\d+,title=[^:]*::[^\n]*$/)
  // oxlint-disable-next-line no-control-regex -- these must not be there.
  expect(run.stdout + run.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/)
})

test('large outputs: whole in the event file, cut in the reports', async () => {
  const dir = folder({ 'cases.jsonl': manyCases(6, { assert: { type: 'contains', value: 'yyy' } }) })
  const outputs = ['jsonl', 'html', 'md', 'xml', 'json', 'tap', 'ctrf.json', 'txt'].flatMap((format) => [
    '-o',
    `o.${format}`,
  ])
  const { code } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#huge', ...outputs], { cwd: dir })
  expect(code).toBe(0)
  expect(String(checkRun(join(dir, 'o.jsonl'), { complete: true }).results[0]?.output)).toHaveLength(1024 * 1024)
  for (const name of ['o.html', 'o.md', 'o.xml', 'o.tap', 'o.ctrf.json'])
    expect({ name, size: statSync(join(dir, name)).size }).toEqual({
      name,
      size: expect.toSatisfy((size: number) => size < 2e6),
    })
})

test('a reporter agent that hangs, throws or floods: the run file is whole, no half report, exit 3', async () => {
  for (const [reporter, message] of [
    ['hangs', /timeout after 2s/],
    ['throws', /the reporter broke/],
    ['floods', /larger|too large/i],
  ] as const) {
    const dir = folder({ 'cases.jsonl': manyCases(3), 'o.html': 'the old report' })
    const args = [
      'test',
      '-i',
      'cases.jsonl',
      '-n',
      './agent.mjs#answer',
      '--timeout',
      '2s',
      '-o',
      'o.jsonl',
      '-o',
      'o.html',
    ]
    const { code, stderr } = await viva([...args, '-r', `./agent.mjs#${reporter}`], { cwd: dir })
    expect({ reporter, code, stderr }).toEqual({ reporter, code: 3, stderr: expect.stringMatching(message) })
    const { summary } = checkRun(join(dir, 'o.jsonl'), { complete: true })
    expect(summary).toMatchObject({ passed: 3, exit_code: 3, report_errors: [expect.stringContaining(reporter)] })
    expect(readFileSync(join(dir, 'o.html'), 'utf8')).toBe('the old report')
    expect(readdirSync(dir).filter((name) => name.startsWith('.'))).toEqual([])
  }
})

test('a report that fails and was all that was asked for: the events are kept in its place', async () => {
  const dir = folder({ 'cases.jsonl': manyCases(3) })
  const temporary = join(dir, 'tmp')
  mkdirSync(temporary)
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', '-r', './agent.mjs#throws']
  const run = (...more: string[]) => viva([...args, ...more], { cwd: dir, env: { TMPDIR: temporary } })
  const { code, stdout, stderr } = await run('-o', 'out/o.md')
  const [kept = '', ...others] = readdirSync(join(dir, 'out'))
  expect({ code, kept, others }).toEqual({ code: 3, kept: expect.stringMatching(/^output-\d{14}\.jsonl$/), others: [] })
  expect(stderr).toContain(`the results are kept: viva report ${join(dir, 'out', kept)} -o`)
  expect(stdout).toContain(`Report: viva view latest (${join('out', kept)})\n`)
  expect(checkRun(join(dir, 'out', kept), { complete: true }).summary).toMatchObject({ passed: 3, exit_code: 3 })
  expect((await viva(['report', join('out', kept), '-o', 'out/o.md'], { cwd: dir })).code).toBe(0)
  expect(readdirSync(temporary)).toEqual([])

  const fine = await viva([...args.slice(0, 5), '-o', 'out/fine.md'], { cwd: dir, env: { TMPDIR: temporary } })
  expect([fine.code, readdirSync(temporary)]).toEqual([0, []])
  expect(readdirSync(join(dir, 'out'))).toHaveLength(3)
})

test('a report that cannot be written does not hide a failure, and can be made later', async () => {
  const dir = folder({ 'cases.jsonl': [{ id: 'T1', input: 'x', expected: 'y' }] })
  mkdirSync(join(dir, 'out'))
  // What could be written at the start cannot be at the end.
  const hook = join(dir, 'hook.mjs')
  writeFileSync(
    hook,
    `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
fs.promises.rename = async () => { throw Object.assign(new Error('EIO: i/o error, rename'), { code: 'EIO' }) }
syncBuiltinESMExports()`,
  )
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', '-o', 'o.jsonl', '-o', 'out/o.json']
  const { code, stderr } = await viva(args, { cwd: dir, env: { NODE_OPTIONS: `--import=${hook}` } })
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('EIO') })
  expect(readdirSync(join(dir, 'out'))).toEqual([])
  expect(checkRun(join(dir, 'o.jsonl'), { complete: true }).summary?.report_errors).toHaveLength(1)
  expect((await viva(['report', 'o.jsonl', '-o', 'out/o.json'], { cwd: dir })).code).toBe(0)
  expect(existsSync(join(dir, 'out/o.json'))).toBe(true)
})

test('cases that a generator made go through the same door: all errors listed, nothing run', async () => {
  const dir = folder({})
  const bad = [
    { id: 'A', input: 'x', asserts: [] },
    { id: 'A', input: 'y' },
    { id: 'B' },
    { id: 'C', input: 'z', assert: { type: 'contians', value: 'z' } },
    { id: 'D', input: 'z', timeout: 'soon' },
  ]
  const args = ['test', '-i', 'agents:./agent.mjs#generates', '-n', './agent.mjs#answer', '-o', 'o.jsonl']
  const first = await viva(args, { cwd: dir, env: { CASES: JSON.stringify({ cases: bad }) } })
  expect(first.code).toBe(2)
  for (const text of ['asserts', '"A"', 'contians', 'soon']) expect(first.stderr).toContain(text)

  const acting = [
    { id: 'A', input: 'x', assert: { type: 'script', script: 'scripts.steal.Run' } },
    { id: 'B', input: [{ role: 'user', content: [{ type: 'file', url: 'file:///etc/passwd' }] }] },
    { id: 'C', input: 'x', before: 'scripts:steal.run' },
  ]
  const second = await viva(args, { cwd: dir, env: { CASES: JSON.stringify(acting) } })
  expect({ code: second.code, stderr: second.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('want to run scripts or read files'),
  })
  const third = await viva(args, { cwd: dir, env: { CASES: 'I am sorry, I cannot do that.' } })
  expect(third.code).toBe(2)
  expect(linesOf(join(dir, 'generated.log'))).toHaveLength(3)
  expect(existsSync(join(dir, 'o.jsonl'))).toBe(false)
})

function parseTap(text: string): Promise<object> {
  return new Promise((resolve) => {
    const parser = new Parser((results) => {
      const { ok, count, fail, skip, todo, bailout } = results
      resolve({ ok, count, fail, skip, todo, bailout })
    })
    parser.end(text)
  })
}

test('what a reporter leaves unhandled comes after the summary: printed, but not an event', async () => {
  const dir = makeFolder({
    'agent.mjs': "export const answer = () => 'hello'",
    'reporter.mjs': `export const write = async () => {
      void Promise.reject(new Error('too late'))
      await new Promise((resolve) => setImmediate(resolve))
      return 'a report'
    }`,
    'cases.jsonl': [{ id: 'a', input: 'x' }],
  })
  const args = ['-n', './agent.mjs#answer', '-r', './reporter.mjs#write', '-o', 'out.jsonl', '-o', 'out.md']
  const run = await viva(['test', '-i', 'cases.jsonl', ...args], { cwd: dir })
  expect(run.code, run.stderr).toBe(0)
  expect(run.stderr).toContain('warning: after the last case: Error: too late')
  const last = readFileSync(join(dir, 'out.jsonl'), 'utf8').trim().split('\n').at(-1)
  expect(JSON.parse(last ?? '')).toMatchObject({ type: 'summary', exit_code: 0 })
})

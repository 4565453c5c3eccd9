// Files that a good tool refuses, contains or accepts, through the command line: exit code, line, words, and nothing run where it must not.
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { marked } from 'marked'
import { Parser } from 'tap-parser'
import { expect, test } from 'vitest'
import { badInputs, type BadInput } from './support/bad-inputs.js'
import { say, startModelServer, type Behaviour } from './real/model/index.js'
import { makeFolder, parseEvents, viva, type CliRun } from './support/run-cli.js'

/** Words for what the index says in its own; where it quotes a text, that text is looked for. */
const WORDS: Record<string, RegExp> = {
  'bom-middle': /byte order mark \(BOM\)/,
  'cr-only': /CR line endings/,
  'comment-trailing': /:2:74: comment beside JSON/,
  'error-after-blank-lines': /:5:20: /,
  'trailing-comma': /:2:23: trailing comma/,
  'single-quotes': /JSON needs double quotes/,
  'unquoted-key': /:1:2: key without quotes/,
  'nan-literal': /:1:35: NaN is not JSON/,
  'json-array-file': /this is a JSON array, not JSONL/,
  'scalar-line': /expected an object/,
  'invalid-utf8': /not UTF-8: byte 0xFF at byte offset 93/,
  latin1: /not UTF-8/,
  utf16le: /UTF-16/,
  'raw-tab-in-string': /control characters must be escaped/,
  'duplicate-ids': /first on line 1, again on line 3/,
  'regex-invalid': /invalid regex pattern: missing closing \) at position 1/,
  'jsonpath-invalid': /invalid path "\$\.\[": .* at position 3/,
  'connector-traversal': /unknown connector/,
  'attachment-file-absolute': /is outside the application root/,
  'attachment-file-encoded': /is outside the application root/,
  'attachment-file-directory': /is a directory/,
  'attachment-file-device': /is not a regular file/,
  'attachment-data-bad': /bad base64/,
  'attachment-unc': /is not a URL/,
}

const nameOf = ({ file }: BadInput): string => basename(file).replace(/\.\w+$/, '')
const wordsOf = (entry: BadInput): RegExp =>
  WORDS[nameOf(entry)] ?? new RegExp(entry.must.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
const entriesOf = (kind: BadInput['kind'], ...expected: Array<BadInput['expect']>): BadInput[] =>
  badInputs(kind).filter((entry) => expected.includes(entry.expect))

/** A folder with the file and an agent that leaves a trace when it is called. */
function folderWith(entry: BadInput): string {
  const dir = makeFolder({
    'app.yao': '{}',
    'agent.mjs': `import { appendFileSync } from 'node:fs'
export const run = (messages) => { appendFileSync('called', JSON.stringify(messages.at(-1).content) + '\\n'); return messages.at(-1).content }`,
    'assistants/echo/package.yao': '{"name": "echo", "connector": "echo"}',
    'assistants/echo/prompts.yml': '- { role: system, content: Echo }',
  })
  copyFileSync(entry.path, join(dir, basename(entry.file)))
  return dir
}

async function runCases(entry: BadInput, ...args: string[]): Promise<CliRun> {
  const dir = folderWith(entry)
  return viva(['test', '-i', basename(entry.file), '-n', './agent.mjs#run', '--json', ...args], { cwd: dir })
}

const resultsOf = (run: CliRun): Array<Record<string, unknown>> =>
  parseEvents(run.stdout).filter((event) => event.type === 'result')

async function inTurns(entries: BadInput[], check: (entry: BadInput) => Promise<void>): Promise<void> {
  for (let at = 0; at < entries.length; at += 3) await Promise.all(entries.slice(at, at + 3).map(check))
}

test.each(entriesOf('cases', 'error'))('$file: exit 2, and no agent was called; $must', async (entry) => {
  const args = ['test', '-i', basename(entry.file), '--json', '-n']
  // Only an agent package has connectors.
  const agent = nameOf(entry) === 'connector-traversal' ? 'echo' : './agent.mjs#run'
  const run = await viva([...args, agent], { cwd: folderWith(entry) })
  expect([run.code, run.stdout]).toEqual([2, ''])
  expect(run.stderr).toMatch(wordsOf(entry))
  if (entry.line !== undefined) expect(run.stderr).toContain(`${basename(entry.file)}:${entry.line}:`)
  expect(readdirSync(run.dir).filter((name) => /^called|^output-/.test(name))).toEqual([])
})

test('attachments that must not be sent: that case fails, with its path, and the agent gets nothing', async () => {
  const entries = entriesOf('cases', 'case_error')
  expect(entries).toHaveLength(6)
  await inTurns(entries, async (entry) => {
    const run = await runCases(entry)
    const [result] = resultsOf(run)
    expect([entry.file, run.code, result?.['error_kind'], result?.['line']]).toEqual([
      entry.file,
      1,
      'input',
      entry.line,
    ])
    expect(result?.['error']).toMatch(wordsOf(entry))
    expect(existsSync(join(run.dir, 'called'))).toBe(false)
  })
})

test('files that are fine: that many cases, as they are written', async () => {
  await inTurns(entriesOf('cases', 'accept', 'accept_warn'), async (entry) => {
    const run = await runCases(entry)
    const results = resultsOf(run)
    expect([entry.file, results.length]).toEqual([entry.file, entry.cases])
    expect([0, 1]).toContain(run.code)
    expect(JSON.stringify(results.map(({ id, input }) => [id, input]))).not.toContain('\\r')
    if (nameOf(entry) === 'astral-and-combining') {
      const written = JSON.parse(readFileSync(entry.path, 'utf8')) as { input: string }
      expect(JSON.parse(readFileSync(join(run.dir, 'called'), 'utf8'))).toBe(written.input)
    }
    if (nameOf(entry) === 'input-and-messages')
      expect(run.stderr).toMatch(/warning: .*:1: .*"messages" takes precedence/)
    if (nameOf(entry) === 'all-skipped') {
      // No case reached a verdict: nothing was shown.
      expect(run.code).toBe(1)
      expect(parseEvents(run.stdout).at(-1)).toMatchObject({ total: 1, passed: 0, failed: 0, skipped: 1 })
    }
    if (nameOf(entry) === 'timeout-over-2e31') expect(results[0]).toMatchObject({ status: 'passed' })
  })
})

const contained = (name: string): BadInput => {
  const found = entriesOf('cases', 'contain', 'accept').find((entry) => nameOf(entry) === name)
  if (!found) throw new Error(`no ${name}`)
  return found
}

test('an inline flag of Go matches', async () => {
  const dir = folderWith(contained('regex-inline-flag'))
  writeFileSync(join(dir, 'loud.mjs'), 'export const run = () => "HELLO"\n')
  const run = await viva(['test', '-i', 'regex-inline-flag.jsonl', '-n', './loud.mjs#run'], { cwd: dir })
  expect(run.code).toBe(0)
})

test('a path walks own properties only', async () => {
  const dir = folderWith(contained('jsonpath-proto'))
  writeFileSync(join(dir, 'data.mjs'), 'export const run = () => ({ content: { own: 1 } })\n')
  const run = await viva(['test', '-i', 'jsonpath-proto.jsonl', '-n', './data.mjs#run', '--json'], { cwd: dir })
  expect([run.code, resultsOf(run).map(({ status }) => status)]).toEqual([1, ['failed', 'failed']])
})

test('prototype keys set nothing, and say so', async () => {
  for (const name of ['proto-top', 'proto-nested']) {
    const dir = folderWith(contained(name))
    writeFileSync(
      join(dir, 'look.mjs'),
      'export const run = (m, ctx) => JSON.stringify([{}.polluted ?? null, ctx.metadata.polluted ?? null])\n',
    )
    const run = await viva(['test', '-i', `${name}.jsonl`, '-n', './look.mjs#run', '--json'], { cwd: dir })
    expect(resultsOf(run)).toMatchObject([{ status: 'passed', output: '[null,null]' }])
    expect(run.stderr).toContain('key "__proto__" is ignored')
  }
})

test('text that looks like a template is text', async () => {
  const entry = contained('template-in-input')
  const run = await runCases(entry)
  const { input } = JSON.parse(readFileSync(entry.path, 'utf8').split('\n')[0] ?? '') as { input: string }
  expect(JSON.parse(readFileSync(join(run.dir, 'called'), 'utf8'))).toBe(input)
})

test('ids that mean something to a report are only names in it', async () => {
  const tap = await runCases(contained('id-tap-directive'), '-o', 'out.tap')
  expect(tap.code).toBe(1)
  const parsed = Parser.parse(readFileSync(join(tap.dir, 'out.tap'), 'utf8'))
  const results = parsed.find(([kind]) => kind === 'complete')?.[1] as { fail: number; todo: number; skip: number }
  expect(results).toMatchObject({ fail: 2, todo: 0, skip: 0 })

  const html = await runCases(contained('id-html'), '-o', 'out.html')
  const page = readFileSync(join(html.dir, 'out.html'), 'utf8')
  expect(page).not.toContain('<img src=x')
  expect(page).not.toContain('</script><script>alert')

  const markdown = await runCases(contained('id-markdown'), '-o', 'out.md')
  const text = readFileSync(join(markdown.dir, 'out.md'), 'utf8')
  expect(await marked.parse(text)).not.toMatch(/<img|<a /)
  for (const row of text.split('\n').filter((line) => line.startsWith('|'))) expect(row).toMatch(/(?<!\\)\|$/)
})

test('ids that are not file names become files all the same', async () => {
  for (const [name, count] of [
    ['id-reserved-names', 6],
    ['ids-differ-by-case', 2],
  ] as const) {
    const run = await runCases(contained(name), '-o', 'out.jsonl')
    const extracted = await viva(['extract', 'out.jsonl', '-o', 'files'], { cwd: run.dir })
    expect(extracted.code).toBe(0)
    const files = readdirSync(join(run.dir, 'files'))
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(count)
    for (const file of files) expect(file).toMatch(/^(?!(?:con|nul|aux|prn|com\d|lpt\d)(?:\.|$))[\w.-]+$/i)
  }
})

test('context files', async () => {
  await inTurns(badInputs('context'), async (entry) => {
    const dir = folderWith(entry)
    writeFileSync(join(dir, 'who.mjs'), 'export const run = (m, ctx) => ctx.authorized.user_id\n')
    const run = await viva(['test', '-i', 'who?', '-n', './who.mjs#run', '--ctx', basename(entry.file)], { cwd: dir })
    if (entry.expect === 'contain') return expect([run.code, run.stdout]).toEqual([0, 'test-user\n'])
    expect([entry.file, run.code, run.stdout]).toEqual([entry.file, 2, ''])
    expect(run.stderr).toContain(entry.must.replace(', line 1', ''))
    expect(run.stderr).toContain(`${basename(entry.file)}:1:`)
  })
})

test('agent packages', async () => {
  for (const entry of badInputs('package')) {
    // A package without prompts and hooks answers with nothing.
    const bare = '{"id": "T1", "input": "x", "assert": {"type": "equals", "value": null}}\n'
    const dir = makeFolder({ 'app.yao': '{}', 'assistants/x/tests/c.jsonl': bare })
    copyFileSync(entry.path, join(dir, 'assistants/x/package.yao'))
    const run = await viva(['test', '-i', 'assistants/x/tests/c.jsonl'], { cwd: dir })
    expect([entry.file, run.code]).toEqual([entry.file, entry.exit ?? 0])
    if (entry.expect !== 'error') continue
    expect(run.stderr).toContain(join(dir, 'assistants/x/package.yao:1'))
    expect(run.stderr).toMatch(nameOf(entry) === 'empty' ? /file is empty/ : wordsOf(entry))
  }
})

test('event files to continue', async () => {
  for (const entry of badInputs('results')) {
    const dir = folderWith(entry)
    const before = readFileSync(entry.path, 'utf8')
    const run = await viva(['test', '--resume', basename(entry.file)], { cwd: dir })
    expect([entry.file, run.code]).toEqual([entry.file, 2])
    if (entry.line !== undefined) expect(run.stderr).toContain(`${basename(entry.file)}:${entry.line}: `)
    expect(run.stderr).toMatch(
      { 'corrupt-middle': /not an event/, 'error-results': /-i is missing/ }[nameOf(entry)] ?? wordsOf(entry),
    )
    expect(readFileSync(join(dir, basename(entry.file)), 'utf8')).toBe(before)
  }
})

test('an event file of other hands: what has a result is not run again', async () => {
  const entry = badInputs('results').find((each) => nameOf(each) === 'error-results')
  if (!entry) throw new Error('no error-results')
  const dir = folderWith(entry)
  const ids = ['T1', 'T2', 'T3', 'T4']
  writeFileSync(join(dir, 'cases.jsonl'), ids.map((id) => `{"id": "${id}", "input": "${id}"}\n`).join(''))
  const args = ['test', '--resume', 'error-results.jsonl', '-i', 'cases.jsonl', '-n', './agent.mjs#run']
  const run = await viva(args, { cwd: dir })
  expect(run.stderr).not.toContain('bug')
  expect(readFileSync(join(dir, 'called'), 'utf8')).toBe('"T4"\n')
})

test('answers of a model', async () => {
  const server = await startModelServer()
  try {
    for (const entry of badInputs('responses').filter((each) => nameOf(each) in ANSWERS)) {
      server.requests.length = 0
      const type = entry.file.endsWith('.txt') ? 'text/event-stream' : 'application/json'
      const answer: Behaviour = {
        kind: 'raw',
        status: entry.status ?? 200,
        headers: { 'content-type': type, ...(entry.headers && { 'retry-after-ms': '1' }) },
        body: readFileSync(entry.path, 'utf8'),
      }
      if (entry.status !== 200 && entry.expect === 'accept') server.behave(answer, answer, say('good'))
      else server.behave(answer)
      const dir = makeFolder()
      const run = await viva(['test', '-i', 'hello', '-n', `${server.url}/v1`, '--json'], { cwd: dir })
      const [result] = resultsOf(run)
      const isSilent = nameOf(entry) === 'null-content-no-tools'
      expect([entry.file, run.code]).toEqual([entry.file, isSilent ? 1 : (entry.exit ?? 0)])
      expect([entry.file, result]).toMatchObject([entry.file, ANSWERS[nameOf(entry)]])
      if (nameOf(entry) === 'usage-negative') expect(result).not.toHaveProperty('cost_dollars')
      if (nameOf(entry) === '429-quota') expect(server.requests).toHaveLength(1)
    }
  } finally {
    await server.close()
  }
})

// Those that are asked again after a while are in src/agents/targets/http.test.ts, where the while is short.
const ANSWERS: Record<string, object> = {
  'null-content-no-tools': { status: 'failed', error: expect.stringContaining('gave no answer') },
  'finish-length': { finish_reason: 'length' },
  'tool-args-not-json': { tool_calls: [{ name: 'f', args: '{bad', args_error: expect.any(String) }] },
  'usage-negative': { status: 'passed', output: 'x' },
  'sse-bad-json': { status: 'failed', error: expect.stringContaining('event 2') },
  '429-quota': { status: 'failed', error_kind: 'agent' },
  '429-rate': { status: 'passed', output: 'good' },
}

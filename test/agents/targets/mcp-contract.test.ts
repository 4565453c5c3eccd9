// `viva test -n mcp:…` without `-i`: a server that breaks its contract is caught in each way, and its honest twin is not.
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, parseEvents, ROOT, viva } from '../../support/run-cli.js'

interface Assertion {
  type: string
  passed: boolean
  not_evaluated?: boolean
  message?: string
  params?: { rule: string }
  actual?: { rule: string; reason: string; fix: string; request?: unknown; answer?: unknown; before?: unknown }
}

interface Result {
  id: string
  status: string
  skip_reason?: string
  warnings?: string[]
  assertions?: Assertion[]
  output?: { probes: Array<{ purpose: string; request: unknown; answer?: unknown }> }
}

async function run(lie: string | undefined, cases: string, args: string[] = [], whenFinished = onTestFinished) {
  const dir = makeFolder({}, whenFinished)
  cpSync(join(ROOT, 'test/fixtures/mcp/lying'), join(dir, 'server'), { recursive: true })
  const target = `mcp:node server/server.mjs${lie === undefined ? '' : ` --lie ${lie}`}`
  const chosen = cases === '' ? [] : ['--run', `^(?:${cases})$`]
  const done = await viva(['test', '-n', target, '-o', 'events.jsonl', '--timeout', '30s', ...chosen, ...args], {
    cwd: dir,
  })
  const events = existsSync(join(dir, 'events.jsonl'))
    ? parseEvents(readFileSync(join(dir, 'events.jsonl'), 'utf8'))
    : []
  const results = new Map<string, Result>()
  for (const event of events)
    if (event.type === 'result') results.set(event['id'] as string, event as unknown as Result)
  return { ...done, dir, results }
}

/** Rules that found something, by case. */
function findings(results: ReadonlyMap<string, Result>): Record<string, string[]> {
  const found = [...results].flatMap(([id, { assertions = [] }]) => {
    const rules = assertions
      .filter(({ passed, not_evaluated }) => !passed && !not_evaluated)
      .map(({ params }) => params?.rule ?? '')
    return rules.length > 0 ? [[id, rules] as const] : []
  })
  return Object.fromEntries(found)
}

test('the honest twin has no finding, whatever varies in it; what was not exercised is skipped with its reason', async () => {
  const { code, stdout, results } = await run(undefined, '')
  expect(findings(results)).toEqual({})
  expect(code).toBe(0)
  const skipped = [...results.values()].flatMap(({ id, status, skip_reason }) =>
    status === 'skipped' ? [[id, skip_reason]] : [],
  )
  expect(skipped).toEqual([
    [
      'tool/remove_notes',
      'not exercised: it is not annotated, so it counts as destructive; --allow-destructive calls it',
    ],
    ['tool/open_page', 'not exercised: every valid call was answered with an error: no browser is installed'],
    [
      'template/notes://{name}',
      'not exercised: every valid call was answered with an error: Resource not found: notes://example',
    ],
  ])
  expect(stdout).toContain('[tool/open_page] skipped: not exercised')
  expect(stdout).toMatch(/Contract: 7 of 9 tools, .*0 of 1 resource template exercised; 0 findings, \d+ hints?/)
  // A log and a cache are no finding.
  expect(results.get('tool/list_notes')?.warnings).toEqual([expect.stringContaining('server.log (a log) was added')])
  const purposes = new Set(results.get('tool/count_words')?.output?.probes.map(({ purpose }) => purpose))
  expect([...purposes].toSorted()).toEqual(['boundary', 'hostile', 'typical', 'wrong'])
}, 180_000)

const TOOL = 'tool/count_words'

/** The lie, the case that catches it, its rule, and words of what is said. */
const LIES: Array<[lie: string, id: string, rule: string, says: string]> = [
  ['writes-workspace', TOOL, 'read-only', 'counted.txt was added in the working folder'],
  ['writes-home', TOOL, 'read-only', '.words was added in HOME'],
  ['writes-install', TOOL, 'read-only', 'state.json was added in its install folder'],
  ['writes-memory', TOOL, 'read-only', 'the answer of list_notes was different'],
  ['writes-late', TOOL, 'read-only', 'late.txt was added in the working folder'],
  ['writes-on-third', 'tool/list_notes', 'read-only', 'third.txt was added in the working folder'],
  ['writes-at-end', TOOL, 'read-only', 'counted.txt was added in the working folder'],
  ['writes-packages', TOOL, 'read-only', 'node_modules/counted/index.js was added in the working folder'],
  ['makes-folder', TOOL, 'read-only', 'made/ was added in the working folder'],
  ['changes-mode', TOOL, 'read-only', 'example.txt was changed in the working folder'],
  ['hostile-memory', TOOL, 'read-only', 'the answer of list_notes was different'],
  ['grows-install', 'tool/set_title', 'idempotent', 'titles.txt was changed in its install folder'],
  ['errors-as-data', TOOL, 'wrong-arguments', 'an error that is not marked as one'],
  ['no-jsonrpc', 'server/handshake', 'clean-output', 'sent an answer without "jsonrpc": "2.0"'],
  ['refuses-example', 'tool/read_note', 'schemas', 'its own example "1st" is refused'],
  ['nested-default', 'tool/set_title', 'schemas', '$defs.title.anyOf[0]: its own default 7 is refused'],
  ['broken-schema', TOOL, 'schemas', 'is not a valid JSON Schema'],
  ['untyped-schema', TOOL, 'schemas', 'inputSchema has no type: the protocol requires "object"'],
  ['error-as-text', TOOL, 'wrong-arguments', 'an error that is not marked as one'],
  ['system-error', TOOL, 'wrong-arguments', 'an error that is not marked as one: ENOENT'],
  ['error-page', TOOL, 'wrong-arguments', 'an error that is not marked as one: <!doctype html>'],
  ['wrong-output', 'tool/read_note', 'output-schema', '$.text must be string'],
  ['bad-result', TOOL, 'protocol', 'content: Invalid input: expected array'],
  ['no-content', TOOL, 'protocol', 'content: is missing'],
  ['huge', TOOL, 'result-size', 'more than 10 MB'],
  ['hangs', TOOL, 'answers', 'no answer to a typical call'],
  ['freezes', TOOL, 'answers', 'no answer to a typical call'],
  ['crashes', TOOL, 'stays-up', 'the server exited with code 1'],
  ['crashes-after', TOOL, 'stays-up', 'the server exited with code 3'],
  ['unknown-when-called', TOOL, 'reachable', 'the server does not know it'],
  ['runs-commands', TOOL, 'injection', 'was run as a command'],
  ['runs-wc', TOOL, 'injection', 'was run as a command'],
  ['runs-search', 'tool/search_notes', 'injection', 'was run as a command'],
  ['falling-progress', 'tool/add_up', 'progress', 'progress went from 2 to 1'],
  ['stray-progress', 'tool/add_up', 'progress', 'progress for the token "nobody"'],
  ['not-idempotent', 'tool/set_title', 'idempotent', 'title.txt was changed in the working folder'],
  ['missing-resource', 'resource/notes://third', 'reachable', 'the server does not know it'],
  ['changes-list', 'server/lists', 'list-stable', 'has changed without a notification: "fresh_'],
  ['duplicate-names', 'server/lists', 'names', 'more than one "list_notes"'],
  ['endless-list', 'server/lists', 'lists-end', 'gave the cursor "again" twice'],
  ['other-version', 'server/handshake', 'protocol-version', '"2099-01-01", which does not exist'],
  ['accepts-anything', 'server/refusals', 'refusals', 'a tool that does not exist was answered with a result'],
  ['ends-when-cancelled', 'server/cancellation', 'cancellation', 'no longer answers as before'],
  ['ends-in-work', 'server/cancellation', 'cancellation', 'no longer answers as before'],
  ['noisy', 'server/handshake', 'clean-output', 'wrote something other than a message to standard output: listening'],
]

/** Those about the list as such, and those without a call of their own. */
const WITHOUT_EXCHANGE = new Set(['schemas', 'list-stable', 'names', 'clean-output'])

// Nearly all of their time is spent waiting for what a server may still do.
test.concurrent.for(LIES)(
  '%s: %s breaks the rule %s, and the run goes on',
  { timeout: 180_000 },
  async ([lie, id, rule, says], { onTestFinished: whenFinished }) => {
    const { code, results, stdout, stderr } = await run(lie, `${escaped(id)}|prompt/summary`, [], whenFinished)
    expect(code, stdout + stderr).toBe(1)
    expect(findings(results)[id]).toContain(rule)
    const failed = results.get(id)?.assertions?.find(({ params }) => params?.rule === rule)
    expect(failed?.message).toContain(says)
    expect(failed?.actual).toMatchObject({ rule, reason: expect.any(String), fix: expect.any(String) })
    if (!WITHOUT_EXCHANGE.has(rule)) {
      expect(failed?.actual?.request).toMatchObject({ method: expect.any(String) })
      expect(failed?.actual).toHaveProperty('answer')
    }
    expect(stdout).toContain(`${rule}: `)
    // Only that case, and the next one is judged as ever.
    expect(
      Object.keys(findings(results)).filter((each) => each !== 'prompt/summary' || rule !== 'clean-output'),
    ).toEqual([id])
    expect(results.get('prompt/summary')).toBeDefined()
  },
)

test('one tool that breaks everything does not cost the others their verdict', async () => {
  const { results } = await run('freezes', `${TOOL}|tool/list_notes|tool/read_note|tool/set_title`)
  expect(findings(results)).toEqual({ [TOOL]: ['answers'] })
}, 90_000)

test('a call is not blamed for what the one before has blocked', async () => {
  const { results } = await run('blocks', TOOL)
  const failed = results.get(TOOL)?.assertions?.find(({ params }) => params?.rule === 'answers')
  expect(failed?.message).toContain('"text" has 100,000 characters')
  expect(failed?.actual).not.toHaveProperty('also')
  expect(failed?.actual?.answer).toMatch(/^no answer within \d+ ms$/)
}, 60_000)

test('the reason for which a tool was not exercised names the error of the first call and another one', async () => {
  const { results } = await run('no-index', 'tool/search_notes')
  expect(results.get('tool/search_notes')?.skip_reason).toBe(
    'not exercised: every valid call was answered with an error: Give exactly one of text and tag.; another with: the index is missing',
  )
}, 60_000)

test('what cannot be told apart from other cases is not passed', async () => {
  const { results } = await run('writes-install', `${TOOL}|tool/list_notes|tool/read_note`, ['--parallel', '3'])
  expect(['failed', 'skipped']).toContain(results.get(TOOL)?.status)
}, 60_000)

test('an idempotent tool is not blamed for what other cases may have changed, and not passed either', async () => {
  const { results } = await run('grows-install', `${TOOL}|tool/set_title|tool/add_note`, ['--parallel', '3'])
  const { status, skip_reason } = results.get('tool/set_title') ?? {}
  expect([status, skip_reason]).toEqual(['skipped', expect.stringContaining('run it again with --parallel 1')])
}, 60_000)

test('--allow-destructive calls what is not annotated', async () => {
  const { code, results } = await run(undefined, 'tool/remove_notes', ['--allow-destructive'])
  expect([code, results.get('tool/remove_notes')?.status]).toEqual([0, 'passed'])
}, 60_000)

test('--allow-destructive without a contract is refused', async () => {
  const dir = makeFolder({ 'cases.jsonl': '{"id": "a", "input": "x", "expected": "x"}\n' })
  const { code, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--allow-destructive'], {
    cwd: dir,
  })
  expect([code, stderr]).toEqual([2, expect.stringContaining('only where the contract of an MCP server is tested')])
})

test.each(['--record', '--replay'])('%s of a contract is refused: only the server itself shows it', async (flag) => {
  const { code, stderr } = await viva(['test', '-n', 'mcp:node server.mjs', flag, 'tape.yml'], {
    cwd: makeFolder({ 'server.mjs': '', 'tape.yml': '' }),
  })
  expect([code, stderr]).toEqual([2, expect.stringContaining('only the server itself shows it')])
})

test('-i contract is the same, and --dry-run shows the cases without calling anything', async () => {
  const server = join(ROOT, 'test/fixtures/mcp/lying/server.mjs')
  const args = ['test', '-n', `mcp:node '${server}'`, '-i', 'contract', '--dry-run']
  const { code, stdout } = await viva(args, { cwd: makeFolder({}) })
  expect(code).toBe(0)
  expect(stdout).toContain('tool/count_words')
}, 60_000)

test('a server that does not start fails with the reason', async () => {
  const dir = makeFolder({ 'broken.mjs': 'console.error("no configuration"); process.exit(4)' })
  const { code, stdout } = await viva(['test', '-n', 'mcp:node broken.mjs'], { cwd: dir })
  expect(code).toBe(1)
  expect(stdout).toContain('starts: the server did not start')
  expect(stdout).toContain('no configuration')
}, 60_000)

async function contractOf(target: string, files: Record<string, string>, args: string[] = []) {
  const dir = makeFolder(files)
  const { code, stdout } = await viva(['test', '-n', target, '-o', 'events.jsonl', ...args], { cwd: dir })
  const results = parseEvents(readFileSync(join(dir, 'events.jsonl'), 'utf8')).filter(({ type }) => type === 'result')
  return { code, stdout, results: new Map(results.map((event) => [String(event['id']), event as unknown as Result])) }
}

test('one cause for all cases of a server that does not start, though each has its own folder', async () => {
  const { stdout } = await contractOf('mcp:node missing.mjs', {})
  expect(stdout).toMatch(/^✗ starts: .* · 4 cases$/m)
  expect(stdout).toContain('<workspace>/missing.mjs')
}, 60_000)

test('an address that nobody listens at is one finding, not stray output as well', async () => {
  const { results } = await contractOf('mcp:http://127.0.0.1:9/mcp', {}, ['--run', 'handshake'])
  expect(findings(results)).toEqual({ 'server/handshake': ['starts'] })
  const passed = results.get('server/handshake')?.assertions?.filter((each) => each.passed)
  expect(passed).toEqual([])
}, 60_000)

test('a server that never answers initialize does not start, also within a short case', async () => {
  const { results } = await contractOf('mcp:node mute.mjs', { 'mute.mjs': 'process.stdin.resume()' }, [
    '--run',
    'handshake',
    '--timeout',
    '2s',
  ])
  expect(findings(results)).toEqual({ 'server/handshake': ['starts'] })
}, 60_000)

const WITHOUT_PING = `
import { createInterface } from 'node:readline'
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result =
    method === 'initialize'
      ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }
      : method === 'tools/list' ? { tools: [] } : undefined
  const answer = result ? { result } : { error: { code: -32601, message: 'unknown method' } }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
})
`

test('a server without ping is said to have none, not to break when a call is cancelled', async () => {
  const { results } = await contractOf('mcp:node server.mjs', { 'server.mjs': WITHOUT_PING })
  expect(findings(results)).toEqual({ 'server/handshake': ['protocol'] })
}, 60_000)

test('a server without tools has no finding: the answer to its ping may be quicker than that it is cancelled', async () => {
  const server = WITHOUT_PING.replace('{ tools: [] } : undefined', "{ tools: [] } : method === 'ping' ? {} : undefined")
  const { results } = await contractOf('mcp:node server.mjs', { 'server.mjs': server })
  expect([server === WITHOUT_PING, findings(results)]).toEqual([false, {}])
}, 60_000)

test('of a tool that was not called, nothing but what it lists is judged', async () => {
  const { results } = await run(undefined, 'tool/remove_notes')
  const passed = results.get('tool/remove_notes')?.assertions?.filter((each) => each.passed)
  expect(passed?.map(({ params }) => params?.rule)).toEqual(['schemas'])
}, 60_000)

function escaped(id: string): string {
  return id.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)
}

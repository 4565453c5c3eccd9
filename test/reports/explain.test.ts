// `viva explain`: the first sentence names what really went wrong, a cause is called certain only if it is, and MCP says the same.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ERROR_CODES } from '../../src/model/error-codes.js'
import type { Explanation } from '../../src/pipeline/report/explain/explanation.js'
import { connect } from '../mcp/support.js'
import { makeFolder, viva, type Files } from '../support/run-cli.js'

const AGENT = `
const answers = {
  plain: () => 'The order was paid.',
  loud: () => 'THE ORDER WAS PAID.',
  marked: () => 'The order was **paid** in full.',
  number: () => 'It costs 3,500 euros.',
  data: () => ({ content: { amount: 30, currency: 'EUR' } }),
  text: () => ({ content: { amount: '30' } }),
  call: () => ({ content: 'done', tool_calls: [{ name: 'refund', args: { amount: 30 } }] }),
  camel: () => ({ content: 'done', tool_calls: [{ name: 'createExpense', args: {} }] }),
  none: () => ({ content: 'done', tool_calls: [] }),
  failing: () => ({ content: 'Sorry.', tool_calls: [{ name: 'search', args: {}, error: 'index is offline' }] }),
  asks: () => ({ content: 'Which order?', awaiting_input: true }),
  wonders: () => "Sure, I'd be happy to help! To refund it, could you tell me the order number?",
  closes: () => 'Done! Order 7 was cancelled. Is there anything else?',
  ends: () => 'I cancelled order 7, is that what you wanted?',
  guesses: () => 'Is it 42?',
  mumbles: () => 'Sorry?',
  greets: () => 'Hello! How can I help you today?',
  says: () => 'Order 7 was cancelled. Which one shall I cancel next?',
  'Write a question about whales': () => 'What do whales eat?',
  'Where is my order 7?': () => 'Where is my order 7?',
  'Has order 8 been paid?': () => 'You asked: Has order 8 been paid?',
  cut: () => ({ content: 'The order w', finish_reason: 'length' }),
  refuses: () => ({ content: 'I cannot help with that.', refusal: true }),
  throws: () => { throw new TypeError("Cannot read properties of undefined (reading 'id')") },
  hangs: () => new Promise(() => setInterval(() => {}, 1000)),
  silent: () => '',
  key: () => { throw new Error('OPENAI_API_KEY environment variable is missing') },
}
export default (messages) => answers[messages.at(-1).content]?.() ?? 'go on'
export const user = () => 'go on'
export const lost = () => { throw new Error('no idea what to say') }
export const rude = () => ({ passed: false, score: 0.2, reason: 'it is rude' })
export const dumb = () => 'hm'
`
const HOOKS = `
export function Before() { throw new Error('no database') }
export function Check() { throw new Error('check is broken') }
export function No() { return { pass: false, message: 'total is 30, not 40' } }
`
const contains = (value: string) => ({ type: 'contains', value })
/** No cause is named. */
const NONE = /^$/
type Certainty = Explanation['certainty']

/** The case, what its first sentence must say, and how sure the cause may be. */
const FAILURES: Array<[id: string, given: object, headline: RegExp, certainty: Certainty, cause?: RegExp]> = [
  ['contains', { input: 'plain', assert: contains('refused') }, /does not contain "refused"/, 'cannot tell'],
  [
    'case',
    { input: 'loud', assert: contains('was paid') },
    /does not contain "was paid"/,
    'certain',
    /upper and lower case/,
  ],
  ['markup', { input: 'marked', assert: contains('was paid in full') }, /does not contain/, 'certain', /Markdown/],
  ['number', { input: 'number', assert: contains('3500') }, /does not contain "3500"/, 'certain', /number is there/],
  [
    'not_contains',
    { input: 'plain', assert: { type: 'not_contains', value: 'paid' } },
    /output contains "paid"/,
    'cannot tell',
  ],
  [
    'equals',
    { input: 'plain', expected: 'no' },
    /output is not equal: expected "no", got "The order was paid\."/,
    'cannot tell',
  ],
  ['regex', { input: 'plain', assert: { type: 'regex', value: '\\d+' } }, /does not match pattern/, 'cannot tell'],
  [
    'json_path',
    { input: 'data', assert: { type: 'json_path', path: '$.amount', value: 20 } },
    /\$\.amount is not equal: expected 20, got 30/,
    'cannot tell',
  ],
  [
    'type',
    { input: 'text', assert: { type: 'json_path', path: '$.amount', value: 30 } },
    /expected 30, got "30"/,
    'certain',
    /type/,
  ],
  [
    'field',
    { input: 'data', assert: { type: 'json_path', path: '$.amounts', value: 30 } },
    /path \$\.amounts not found/,
    'likely',
    /"amount"/,
  ],
  [
    'no-json',
    { input: 'plain', assert: { type: 'json_path', path: '$.amount', value: 30 } },
    /output is not valid JSON: The order/,
    'certain',
    /without JSON/,
  ],
  [
    'schema',
    { input: 'data', assert: { type: 'schema', value: { type: 'object', required: ['id'] } } },
    /does not match the schema/,
    'cannot tell',
  ],
  [
    'tool',
    { input: 'call', assert: { type: 'tool_called', name: 'refund', arguments: { amount: { $lt: 20 } } } },
    /refund was called, never with amount below 20.* it is 30/,
    'cannot tell',
  ],
  [
    'tool-name',
    { input: 'camel', assert: { type: 'tool_called', name: 'create_expense' } },
    /create_expense.* was not called/,
    'likely',
    /createExpense/,
  ],
  [
    'no-tool',
    { input: 'none', assert: { type: 'tool_called', name: 'refund' } },
    /no tools were called|was not called/,
    'cannot tell',
  ],
  [
    'tool_not_called',
    { input: 'call', assert: { type: 'tool_not_called', name: 'refund' } },
    /refund.* was called/,
    'cannot tell',
  ],
  [
    'tool-error',
    { input: 'failing', assert: contains('found') },
    /does not contain "found"/,
    'likely',
    /search failed: index is offline/,
  ],
  ['length', { input: 'plain', assert: { type: 'length', max: 5 } }, /output has 19 characters/, 'cannot tell'],
  [
    'judge',
    { input: 'plain', assert: { type: 'agent', use: './agent.mjs#rude', value: 'is polite' } },
    /the judge says no: .*it is rude/,
    'cannot tell',
  ],
  [
    'no-verdict',
    { input: 'plain', assert: { type: 'agent', use: './agent.mjs#dumb', value: 'is polite' } },
    /the judge gave no verdict/,
    'certain',
    /form/,
  ],
  [
    'script',
    { input: 'plain', assert: { type: 'script', script: 'scripts.a.Check' } },
    /the check script failed: .*check is broken/,
    'certain',
  ],
  [
    'script-no',
    { input: 'plain', assert: { type: 'script', script: 'scripts.a.No' } },
    /total is 30, not 40/,
    'cannot tell',
  ],
  [
    'hook',
    { input: 'plain', before: 'scripts.a.Before' },
    /before hook scripts\.a\.Before failed: .*no database/,
    'certain',
  ],
  [
    'asks',
    { input: 'asks', assert: contains('refund') },
    /does not contain "refund"/,
    'likely',
    /asked back.*Which order/,
  ],
  [
    'asks-in-words',
    { input: 'wonders', assert: contains('paid') },
    /does not contain "paid"/,
    'likely',
    /asked back.*order number/,
  ],
  ['asks-a-closing-question', { input: 'closes', assert: contains('sent') }, /not contain "sent"/, 'cannot tell', NONE],
  ['closes-in-one-sentence', { input: 'ends', assert: contains('sent') }, /not contain "sent"/, 'cannot tell', NONE],
  ['has-not-understood', { input: 'mumbles', assert: contains('sent') }, /not contain "sent"/, 'cannot tell', NONE],
  ['guesses', { input: 'guesses', assert: contains('sent') }, /not contain "sent"/, 'cannot tell', NONE],
  ['greets', { input: 'greets', assert: contains('sent') }, /not contain "sent"/, 'cannot tell', NONE],
  ['says-and-asks', { input: 'says', assert: contains('sent') }, /not contain "sent"/, 'cannot tell', NONE],
  [
    'question-for-an-answer',
    { input: 'Write a question about whales', assert: contains('krill') },
    /not contain "krill"/,
    'cannot tell',
    NONE,
  ],
  [
    'asked-otherwise-than-expected',
    { input: 'wonders', assert: contains('Which order?') },
    /not contain "Which order\?"/,
    'cannot tell',
    NONE,
  ],
  [
    'asks-what-it-must-not-say',
    { input: 'wonders', assert: { type: 'not_contains', value: 'order' } },
    /output contains "order"/,
    'cannot tell',
    NONE,
  ],
  [
    'echo',
    { input: 'Where is my order 7?', assert: contains('sent') },
    /not contain "sent"/,
    'certain',
    /^the answer only repeats the input$/,
  ],
  [
    'echo-in-words',
    { input: 'Has order 8 been paid?', assert: contains('sent') },
    /not contain "sent"/,
    'likely',
    /^the answer only repeats the input$/,
  ],
  ['cut', { input: 'cut', assert: contains('paid') }, /does not contain "paid"/, 'likely', /cut off/],
  ['refusal', { input: 'refuses', assert: contains('paid') }, /the agent refused/, 'certain', /refused/],
  [
    'throws',
    { input: 'throws' },
    /the agent failed: TypeError: Cannot read properties.*agent\.mjs:\d+/,
    'likely',
    /own code/,
  ],
  ['key', { input: 'key' }, /OPENAI_API_KEY environment variable is missing/, 'likely', /API key/],
  ['silent', { input: 'silent' }, /the agent gave no answer/, 'certain'],
  ['timeout', { input: 'hangs', timeout: '300ms' }, /the agent did not answer within 300ms/, 'cannot tell'],
  [
    'simulator',
    { simulator: { use: './agent.mjs#lost' }, checkpoints: [{ id: 'c', assertion: contains('x') }] },
    /the simulated user failed, not the agent: no idea what to say/,
    'certain',
  ],
  [
    'checkpoint',
    {
      simulator: { use: './agent.mjs#user' },
      max_turns: 2,
      checkpoints: [{ id: 'paid', assertion: contains('paid') }],
    },
    /does not contain "paid" \(checkpoint "paid", not reached in 2 turns\)/,
    'cannot tell',
  ],
  [
    'turn',
    { turns: [{ input: 'plain' }, { input: 'loud', assert: contains('sent') }] },
    /does not contain "sent"/,
    'cannot tell',
  ],
  [
    'attachment',
    { input: [{ role: 'user', content: [{ type: 'image', source: 'file://missing.png' }] }] },
    /missing\.png/,
    'certain',
  ],
]

const FILES: Files = {
  'app.yao': '{}',
  'package.yao': '{}',
  'agent.mjs': AGENT,
  'scripts/a.ts': HOOKS,
  'src/a_test.ts': HOOKS,
}

async function explained(cwd: string, args: string[], ...more: string[]): Promise<Explanation[]> {
  await viva(['test', '-o', 'o.jsonl', '--force', ...args], { cwd })
  const { stdout, stderr } = await viva(['explain', ...more, '--json'], { cwd })
  return JSON.parse(stdout === '' ? `"${stderr}"` : stdout) as Explanation[]
}

test.each(FAILURES)('%s', async (id, given, headline, certainty, cause = /^/) => {
  const cwd = makeFolder({ ...FILES, 'cases.jsonl': [{ id, ...given }] })
  const [found, ...others] = await explained(cwd, ['-i', 'cases.jsonl', '-n', './agent.mjs'])
  expect(others).toEqual([])
  expect(found).toMatchObject({ id, certainty })
  expect(found?.headline).toMatch(headline)
  expect(found?.cause ?? '').toMatch(cause)
})

test('servers and programs: what they answer, or that they do not', async () => {
  const server = createServer((request, response) => {
    const status = Number(request.url?.slice(1))
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' })
      .end('{"error": {"message": "no"}}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const url = (status: number): string => `http://127.0.0.1:${port}/${status}`
  const cwd = makeFolder({
    'cases.jsonl': [{ id: 'x', input: 'hi' }],
    'bad.py': 'import not_there\n',
    'crash.py': "raise KeyError('customer')\n",
  })
  for (const [target, headline, cause] of [
    [url(401), /HTTP 401/, 'the server refused the credentials'],
    [url(429), /HTTP 429/, 'too many requests for the limit of the server'],
    [url(404), /HTTP 404/, 'the server does not know that path or model'],
    [url(503), /HTTP 503/, 'the server failed while answering'],
    [
      'http://127.0.0.1:9/',
      /cannot reach http:\/\/127\.0\.0\.1:9: connection refused/,
      'nothing listens at that address',
    ],
    ['exec:python3 bad.py', /ModuleNotFoundError: No module named 'not_there' \(bad\.py:1\)/, /not installed/],
    ['exec:python3 crash.py', /KeyError: 'customer' \(crash\.py:1\)/, /own code/],
    ['exec:sh -c "exit 3"', /exit code 3/, undefined],
  ] as const) {
    const [found] = await explained(cwd, ['-i', 'cases.jsonl', '-n', target])
    expect(found?.headline, target).toMatch(headline)
    if (cause === undefined) expect(found).toMatchObject({ certainty: 'cannot tell' })
    else expect(found?.cause, target).toMatch(cause)
  }
}, 60_000)

test('the text names the run, then what went wrong, expected and actual, the cause and what to try', async () => {
  const cwd = makeFolder({
    ...FILES,
    'cases.jsonl': [{ id: 'T1', input: 'data', assert: { type: 'json_path', path: '$.amount', value: 20 } }],
  })
  await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'o.jsonl'], { cwd })
  const { code, stdout } = await viva(['explain', 'T1'], { cwd })
  expect(code).toBe(0)
  expect(stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'now')).toBe(`./agent.mjs · now · o.jsonl
1 of 1 case did not pass

[T1 · cases.jsonl:1] failed
$.amount is not equal: expected 20, got 30

  where     $.amount = 20
  asked     data
  came      {amount: 30, currency: "EUR"}
  expected  20
  actual    30
  cause     cannot tell
  blame     agent (60%): nothing suggests that anything else failed
  try       decide which is right: change the agent if the answer is wrong, the case if the expectation is
`)
  const missing = await viva(['explain', 'T11'], { cwd })
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringContaining('the run has no case "T11"; did you mean "T1"?'),
  ])
})

test('advice names the command as it was typed', async () => {
  const cwd = makeFolder({ ...FILES, 'cases.jsonl': [{ id: 'T1', input: 'hangs', timeout: '300ms' }] })
  await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'o.jsonl'], { cwd })
  const env = { npm_lifecycle_event: 'npx', npm_lifecycle_script: 'viva explain' }
  const typed = await viva(['explain'], { cwd, env })
  expect(typed.stdout).toMatch(/^ {2}try +.*: npx --no-install viva view latest/m)
  expect((await viva(['explain'], { cwd })).stdout).toMatch(/^ {2}try +.*: viva view latest/m)
})

test('MCP gives the same text', async () => {
  const { call, project } = await connect('stdio', {
    files: { ...FILES, 'cases.jsonl': [{ id: 'T1', input: 'loud', assert: contains('paid') }] },
  })
  await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], { cwd: project })
  const { stdout } = await viva(['explain', 'T1'], { cwd: project })
  const { value } = await call('explain_failure', { case_id: 'T1' })
  expect(stdout.endsWith(`\n${String(value['failures'][0].text)}`)).toBe(true)
  expect(value['failures'][0]).toMatchObject({ certainty: 'certain', cause: 'only upper and lower case differ' })
})

test('who failed: in viva explain, in MCP, and on the console where it is not plain', async () => {
  const files = {
    ...FILES,
    'cases.jsonl': [
      { id: 'both', input: 'plain', assert: [contains('sent'), { type: 'not_contains', value: 'sent' }] },
      { id: 'ignored', input: 'failing-quietly', assert: contains('found 3') },
      { id: 'plain', input: 'plain', assert: contains('refused') },
      { id: 'claims', input: 'claims', assert: { type: 'claims' } },
      { id: 'unused', input: 'unused', assert: contains('79.80') },
      { id: 'elsewhere', input: 'unused', assert: contains('by plane') },
      { id: 'twice', input: 'twice', assert: contains('by plane') },
    ],
    'agent.mjs': `${AGENT}
answers['failing-quietly'] = () => ({ content: 'All done.', tool_calls: [{ name: 'search', args: {}, error: 'index is offline' }] })
const find = { name: 'find', args: { id: 7 }, result: { id: 7, total: '79.80' } }
answers.claims = () => ({ content: 'I have refunded 50 EUR to your card.', tool_calls: [find] })
answers.unused = () => ({ content: 'It is on its way.', tool_calls: [find] })
answers.twice = () => ({ content: 'It is on its way.', tool_calls: [find, find] })`,
  }
  const { call, project } = await connect('stdio', { files })
  const { stdout: console } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], { cwd: project })
  expect(console.match(/^ +blame .*/gm)?.map((line) => line.trim())).toEqual([
    'blame     test (95%): no answer can pass both contains "sent" and not_contains "sent"',
    'blame     agent, answer: All done. – the call before it failed, and it went on as if it had not',
    'blame     agent, answer: It is on its way. – it uses nothing of what its calls returned',
  ])
  const { stdout } = await viva(['explain'], { cwd: project })
  expect(stdout.match(/^ {2}(?:blame|or|evidence|step) .*/gm)?.map((line) => line.trim())).toEqual([
    'blame     test (95%): no answer can pass both contains "sent" and not_contains "sent"',
    'or        agent (60%): nothing suggests that anything else failed',
    'blame     agent (90%): its call of search failed, and it went on as if it had not',
    'evidence  index is offline',
    expect.stringMatching(/^step {6}answer: All done/),
    'blame     agent (60%): nothing suggests that anything else failed',
    'blame     agent (75%): it says "I have refunded 50 EUR to your card.", and no call shows that it was done',
    'step      answer: I have refunded 50 EUR to your card. – no call shows that it was done',
    'blame     agent (60%): nothing suggests that anything else failed',
    'step      answer: It is on its way. – it uses nothing of what its calls returned',
    'blame     agent (60%): nothing suggests that anything else failed',
    'blame     agent (60%): nothing suggests that anything else failed',
    'step      call 2: find({id: 7}) – it made the same call once more',
  ])
  const { value } = await call('explain_failure', { case_id: 'ignored' })
  expect(value['failures'][0].blame).toMatchObject({
    party: 'agent',
    confidence: 0.9,
    rule: 'ignored-error',
    evidence: 'index is offline',
    step: { at: 'answer' },
  })
})

test('a passing run of the same case shows where a failing one went another way', async () => {
  const cwd = makeFolder({
    'odd.mjs': `let calls = 0
export default () => (++calls % 2 === 0
  ? { content: 'It costs 53.', tool_calls: [{ name: 'find', args: { id: 2 }, result: 53 }] }
  : { content: 'It costs 35.', tool_calls: [{ name: 'find', args: { id: 1 }, result: 35 }] })
`,
    'cases.jsonl': [{ id: 'T1', input: 'x', assert: contains('35') }],
  })
  const [found] = await explained(cwd, ['-i', 'cases.jsonl', '-n', './odd.mjs', '--runs', '4'])
  expect(found?.blame).toMatchObject({
    party: 'agent',
    rule: 'unstable',
    step: { at: 'call 1', what: 'find({id: 2})', rule: 'diverges' },
  })
})

test('repeated cases: how often, and the first run that failed', async () => {
  const cwd = makeFolder({
    'odd.mjs': 'let calls = 0\nexport default () => (++calls % 2 === 0 ? "no" : "yes")\n',
    'cases.jsonl': [{ id: 'T1', input: 'x', assert: contains('yes') }],
  })
  const [found] = await explained(cwd, ['-i', 'cases.jsonl', '-n', './odd.mjs', '--runs', '4'])
  expect(found).toMatchObject({
    headline: 'fails in some runs only: output does not contain "yes"',
    rate: expect.stringMatching(/^2 of 4 runs passed, passes sometimes, .*; shown is run 2$/),
    came: '"no"',
  })
})

test('a green run, and codes of errors', async () => {
  const cwd = makeFolder({ 'cases.jsonl': [{ id: 'T1', input: 'x' }] })
  const none = await viva(['explain'], { cwd })
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no run called latest in')])
  await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo'], { cwd })
  expect((await viva(['explain'], { cwd })).stdout).toContain('all 1 are green')
  const wrong = await viva(['test', '-i', 'nothing.jsonl', '-n', 'builtin:echo'], { cwd })
  expect(wrong.stderr).toContain('  code: FILE_NOT_FOUND (more: viva explain FILE_NOT_FOUND)\n')
  const page = await viva(['explain', 'FILE_NOT_FOUND'], { cwd })
  expect([page.code, page.stdout]).toEqual([0, expect.stringContaining(ERROR_CODES.FILE_NOT_FOUND[0])])
})

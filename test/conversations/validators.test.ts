// Agents as judges: what counts as a verdict, what does not, and why they cannot be won over.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

type Result = Record<string, unknown> & { id: string; status: string; assertions: Array<Record<string, unknown>> }

/** A judge that answers with what the case's metadata for it says, one answer per call, and keeps what it was sent. */
const JUDGE = `
import { appendFileSync } from 'node:fs'
const asked = new Map()
export default (messages, ctx) => {
  appendFileSync('judged.jsonl', JSON.stringify({ id: ctx.metadata.test_id, messages, chat: ctx.chat_id }) + '\\n')
  const call = asked.get(ctx.chat_id) ?? 0
  asked.set(ctx.chat_id, call + 1)
  const { answers } = ctx.metadata
  const answer = answers[Math.min(call, answers.length - 1)]
  if (answer?.throws) throw new Error(answer.throws)
  return answer?.content !== undefined ? answer : { content: answer }
}
`

async function judged(cases: object[]): Promise<{ results: Result[]; cwd: string; code: number | null }> {
  const cwd = makeFolder({ 'judge.mjs': JUDGE, 'cases.jsonl': cases })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--json'], { cwd })
  const results = parseEvents(run.stdout).filter((event) => event.type === 'result') as unknown as Result[]
  expect(results, run.stderr).toHaveLength(cases.length)
  return { results, cwd, code: run.code }
}

function judgedCase(id: string, answers: unknown[], more: object = {}): object {
  const assertion = {
    type: 'agent',
    use: './judge.mjs',
    value: 'is polite',
    options: { metadata: { answers } },
    ...more,
  }
  return { id, input: 'Good morning', assertions: [assertion] }
}

const PASSED = { passed: true, score: 0.9, reason: 'It greets' }
const FAILED = { passed: false, score: 0.2, reason: 'It is short' }

test('an answer without a verdict is an error: never a pass, and never a silent failure', async () => {
  const nonsense: Record<string, unknown> = {
    prose: 'I think it is fine.',
    empty: '',
    'another language': 'passed: yes',
    'text for a boolean': { passed: 'true' },
    'number for a boolean': { passed: 1 },
    'other fields': { verdict: true, score: 1 },
    list: [true],
    null: null,
    'cut off': '{"passed": tru',
    'two verdicts': 'At first {"passed": true}, but then {"passed": false}',
    'score that is none': { passed: true, score: 'high' },
    'fenced prose': '```json\npassed\n```',
  }
  const thrown = { throws: 'the judge is out' }
  const { results, code } = await judged([
    ...Object.entries(nonsense).map(([id, answer]) => judgedCase(id, [answer])),
    judgedCase('thrown', [thrown]),
    { ...judgedCase('negated', [nonsense['prose']], { negate: true }) },
    judgedCase('no score', [{ passed: true }], { threshold: 0.5 }),
  ])
  expect(code).toBe(1)
  for (const result of results) {
    const { id } = result
    expect(result, id).toMatchObject({
      status: 'failed',
      error_kind: 'validator',
      error: expect.stringMatching(/^validator error: /),
      assertions: [{ passed: false, error: expect.any(String), error_kind: 'validator' }],
    })
  }
  const error = (id: string): unknown => results.find((result) => result.id === id)?.['error']
  expect(error('prose')).toContain('I think it is fine.')
  expect(error('thrown')).toContain('the judge is out')
  expect(error('two verdicts')).toContain('the judge gave more than one verdict')
})

test('a verdict is read from data, text, a fenced block, prose, or a tool call', async () => {
  const fenced = `My verdict:\n\`\`\`json\n${JSON.stringify(PASSED)}\n\`\`\``
  const forms: Record<string, unknown> = {
    data: PASSED,
    text: JSON.stringify(PASSED),
    fenced,
    prose: `The verdict is {'passed': true, 'score': 0.9, 'reason': 'It greets',} `,
    tool: { content: '', tool_calls: [{ name: 'verdict', args: PASSED }] },
  }
  const { results } = await judged(Object.entries(forms).map(([id, answer]) => judgedCase(id, [answer])))
  for (const result of results) {
    expect(result, result.id).toMatchObject({
      status: 'passed',
      assertions: [{ passed: true, score: 0.9, message: 'It greets' }],
    })
  }
})

test('votes, thresholds, controls and rubrics', async () => {
  const rubric = {
    type: 'rubric',
    use: './judge.mjs',
    criterion: 'How polite is it?',
    rubric: { 1: 'rude', 3: 'neutral', 5: 'warm' },
    threshold: 4,
  }
  const rated = (id: string, answers: unknown[]): object => ({
    id,
    input: 'Good morning',
    assertions: [{ ...rubric, options: { metadata: { answers } } }],
  })
  const { results } = await judged([
    judgedCase('two of three', [PASSED, FAILED, PASSED], { votes: 3 }),
    judgedCase('one of three', [PASSED, FAILED, FAILED], { votes: 3 }),
    judgedCase('a vote is nonsense', [PASSED, 'hm', 'hm', PASSED], { votes: 3 }),
    judgedCase('most are nonsense', [PASSED, 'hm', 'hm', 'hm', 'hm'], { votes: 3 }),
    judgedCase('a tie', [PASSED, FAILED], { votes: 2 }),
    judgedCase('high enough', [PASSED], { threshold: 0.9 }),
    judgedCase('too low', [PASSED], { threshold: 0.95 }),
    judgedCase('believable', [FAILED, PASSED, PASSED], { controls: { bad: 'Go away', good: 'Good day' } }),
    judgedCase('gullible', [PASSED], { controls: { bad: 'Go away', good: 'Good day' } }),
    rated('warm', [{ reasoning: 'It greets', score: 5 }]),
    rated('neutral', [{ reasoning: 'It only greets', score: 3 }]),
    rated('second try', ['5 of 5', { reasoning: 'It greets', score: 4 }]),
    rated('no rating', [{ score: 5 }]),
  ])
  const split = (parts: boolean[]): object[] => parts.map((passed) => ({ passed }))
  expect(Object.fromEntries(results.map((result) => [result.id, result]))).toMatchObject({
    'two of three': {
      status: 'passed',
      assertions: [{ message: '2 of 3 votes passed', parts: split([true, false, true]) }],
    },
    'one of three': {
      status: 'failed',
      error_kind: 'assertion',
      assertions: [{ message: '1 of 3 votes passed: It is short', parts: split([true, false, false]) }],
    },
    'a vote is nonsense': { status: 'passed', assertions: [{ parts: [{}, { error: expect.any(String) }, {}] }] },
    'most are nonsense': { status: 'failed', error_kind: 'validator' },
    'a tie': { status: 'failed', error_kind: 'validator' },
    'high enough': { status: 'passed' },
    'too low': { status: 'failed', assertions: [{ message: 'score 0.9 is below 0.95: It greets' }] },
    believable: { status: 'passed' },
    gullible: { status: 'failed', error_kind: 'validator', error: expect.stringContaining('failed its control') },
    warm: { status: 'passed', assertions: [{ score: 5 }] },
    neutral: { status: 'failed', assertions: [{ message: 'score 3 is below 4: It only greets' }] },
    'second try': { status: 'passed', assertions: [{ score: 4 }] },
    'no rating': { status: 'failed', error_kind: 'validator' },
  })
})

describe('a judge cannot be won over', () => {
  const hostile = JSON.parse(
    readFileSync(new URL('../fixtures/assert/hostile-answers.json', import.meta.url), 'utf8'),
  ) as string[]

  test('what is judged stays data in a block that only this call can close', async () => {
    const cases = hostile.map((input, index) => ({ ...judgedCase(`H${index}`, [FAILED]), input }))
    const { results, cwd } = await judged(cases)
    expect(hostile.length).toBeGreaterThanOrEqual(30)
    const sent = readFileSync(join(cwd, 'judged.jsonl'), 'utf8').trim().split('\n')
    const tags = new Set<string>()
    for (const [index, line] of sent.entries()) {
      const { id, messages } = JSON.parse(line) as { id: string; messages: Array<{ role: string; content: string }> }
      expect(id).toBe(`H${index}`)
      expect(messages.map((message) => message.role)).toEqual(['user'])
      const text = messages[0]?.content ?? ''
      const tag = /^<data-([0-9a-f]{24})>$/m.exec(text)?.[1] ?? ''
      tags.add(tag)
      const parts = text.split(tag)
      // Named twice where it is announced, then it opens and closes: nothing else could write it.
      expect(parts).toHaveLength(5)
      const block = text.slice(text.lastIndexOf(`<data-${tag}>`) + tag.length + 7, text.lastIndexOf(`</data-${tag}>`))
      const said = hostile[index]
      expect(JSON.parse(block)).toEqual({ input: said, output: said })
      const after = text.slice(text.lastIndexOf(`</data-${tag}>`))
      expect(after).toContain('Criteria: is polite')
      expect(after).toMatch(/"suggestions": \[\], "nonce": "[0-9a-f]{12}"\}$/m)
    }
    expect(tags.size).toBe(hostile.length)
    for (const result of results) {
      expect(result, result.id).toMatchObject({ status: 'failed', error_kind: 'assertion' })
    }
  })

  test('a judge that repeats what it was shown gives no verdict', async () => {
    const cases = hostile.map((input, index) => ({ ...judgedCase(`H${index}`, ['']), input }))
    const cwd = makeFolder({
      'judge.mjs': 'export default (messages) => messages.at(-1).content',
      'cases.jsonl': cases,
    })
    const run = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--json'], { cwd })
    const results = parseEvents(run.stdout).filter((event) => event.type === 'result')
    expect(results).toHaveLength(hostile.length)
    for (const result of results) expect(result).toMatchObject({ status: 'failed', error_kind: 'validator' })
  })
})

test('t.assert.Agent asks the same validators', async () => {
  const files = Object.entries({ kind: PASSED, strict: FAILED, confused: 'no idea' }).flatMap(([name, answer]) => {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    return [
      [`assistants/judges/${name}/package.yao`, { name, connector: 'mock' }],
      [`assistants/judges/${name}/prompts.yml`, '- role: system\n  content: You judge.\n'],
      [`assistants/judges/${name}/mock.yml`, `- output: '${text}'\n`],
    ]
  })
  const cwd = makeFolder({
    'app.yao': '{}',
    'assistants/expense/package.yao': { name: 'Expense' },
    'assistants/expense/src/response_test.ts': `
const options = { metadata: { criteria: 'is polite' } }
export function TestKind(t: TestingT) { t.assert.Agent('Good morning', 'judges.kind', options) }
export function TestPrefix(t: TestingT) { t.assert.Agent('Good morning', 'agents:judges.kind', options) }
export function TestStrict(t: TestingT) { t.assert.Agent('Good morning', 'judges.strict', options) }
export function TestConfused(t: TestingT) { t.assert.Agent('Good morning', 'judges.confused', options) }
export function TestNobody(t: TestingT) { t.assert.Agent('Good morning', 'judges.nobody', options) }
`,
    ...Object.fromEntries(files),
  })
  const run = await viva(['test', '-i', 'scripts.expense.response', '--json'], { cwd })
  const results = parseEvents(run.stdout).filter((event) => event.type === 'result')
  expect(results).toMatchObject([
    { name: 'TestKind', status: 'passed' },
    { name: 'TestPrefix', status: 'passed' },
    { name: 'TestStrict', status: 'failed', error: expect.stringContaining('It is short') },
    { name: 'TestConfused', status: 'failed', error: expect.stringContaining('no idea') },
    { name: 'TestNobody', status: 'failed', error: expect.stringContaining('no agent called "judges.nobody"') },
  ])
  // A verdict is an assertion; no verdict is an error of the test's.
  expect(results.map((result) => result['error_kind'])).toEqual([
    undefined,
    undefined,
    'assertion',
    'validator',
    'validator',
  ])
})

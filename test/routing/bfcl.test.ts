// BFCL questions as routing cases: what is right by its rules passes, what is wrong fails, over the wires of four vendors;
// and confusions that were planted are the ones that are found. A fixture of our own, and the real questions where they are.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startModelServer, type ModelServer, type ScriptedAnswer } from '../real/model/index.js'
import { makeFolder, parseEvents, ROOT, viva, writeFiles } from '../support/run-cli.js'

const REAL = join(ROOT, '../shared/data/public/bfcl/multiple.jsonl')

const OWN_QUESTIONS = [
  {
    id: 'multiple_0',
    question: [[{ role: 'user', content: 'How far is it from Rome to Bonn, in km?' }]],
    function: [
      tool('route.distance', { from: { type: 'string' }, to: { type: 'string' }, unit: { type: 'string' } }, [
        'from',
        'to',
      ]),
      tool('route_distance', { from: { type: 'string' } }, ['from']),
      tool('city.find', { name: { type: 'string' }, near: { type: 'tuple', items: { type: 'float' } } }, ['name']),
    ],
  },
  {
    id: 'multiple_1',
    question: [[{ role: 'user', content: 'Find the city at 50.7, 7.1.' }]],
    function: [
      tool(
        'city.find',
        { near: { type: 'tuple', items: { type: 'float' } }, filter: { type: 'dict' }, extra: { type: 'any' } },
        ['near'],
      ),
      tool('route.distance', { from: { type: 'string' }, stops: { type: 'array' } }, ['from']),
    ],
  },
  {
    id: 'multiple_2',
    question: [[{ role: 'user', content: 'Delete the old drafts.' }]],
    function: [
      tool('drafts.delete', { older_than_days: { type: 'integer' }, dry_run: { type: 'boolean' } }, [
        'older_than_days',
      ]),
      tool('drafts.list', {}, []),
    ],
  },
]

const OWN_ANSWERS = [
  {
    id: 'multiple_0',
    ground_truth: [{ 'route.distance': { from: ['Rome', 'Roma'], to: ['Bonn'], unit: ['', 'km'] } }],
  },
  { id: 'multiple_1', ground_truth: [{ 'city.find': { near: [[50.7, 7.1]], filter: ['', { kind: ['city', ''] }] } }] },
  { id: 'multiple_2', ground_truth: [{ 'drafts.delete': { older_than_days: [30], dry_run: ['', false] } }] },
]

function tool(name: string, properties: object, required: string[]): object {
  return { name, description: `Does ${name}`, parameters: { type: 'dict', properties, required } }
}

interface Call {
  name: string
  args: unknown
}

interface Question {
  id: string
  name: string
  tool: object
  answers: object
  others: string[]
  offered: Array<{ name: string; inputSchema: object }>
  expected: object
}

/** The questions in a folder, as `viva import` reads them. */
async function importQuestions(dir: string, file: string): Promise<Question[]> {
  const ran = await viva(['import', file, '-o', 'imported'], { cwd: dir })
  expect(ran.code, ran.stderr).toBe(0)
  const cases = readLines<{ id: string; tools: Question['offered']; expect_tool: { name: string } }>(
    join(dir, 'imported/tests/cases.jsonl'),
  )
  const asked = readLines<{ id: string; function: Array<{ name: string }> }>(join(dir, file))
  const answers = readLines<{ id: string; ground_truth: Array<Record<string, object>> }>(
    join(dir, file.replace('.jsonl', '.answers.jsonl')),
  )
  return cases.map(({ id, tools, expect_tool }, at) => {
    const { name } = expect_tool
    const functions = asked[at]?.function ?? []
    return {
      id,
      name,
      tool: functions.find((each) => each.name === name) ?? {},
      answers: answers.find((each) => each.id === id)?.ground_truth[0]?.[name] ?? {},
      others: tools.map((each) => each.name).filter((each) => each !== name),
      offered: tools,
      expected: expect_tool,
    }
  })
}

function readLines<T>(path: string): T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}

/** Calls that are right or wrong by BFCL's rules, of these kinds. */
async function variantsOf(question: Question, kinds: string[]): Promise<Array<{ kind: string; calls: Call[] }>> {
  const module = (await import(pathToFileURL(join(ROOT, 'bench/public/bfcl-cases.mjs')).href)) as {
    variantsOf(question: Question): Array<{ kind: string; calls: Call[] }>
  }
  const all = module.variantsOf(question)
  return kinds.flatMap((kind) => all.find((each) => each.kind === kind) ?? [])
}

interface Asked {
  id: string
  question: Question
  calls: Call[]
}

/** A model that makes these calls when it is asked for the id, by the names that it was offered. */
function answering(asked: Asked[]): (names: string[], task: string) => ScriptedAnswer {
  const byId = new Map(asked.map((each) => [each.id, each]))
  return (names, task) => {
    const found = byId.get(task)
    if (!found) throw new Error(`nobody asked ${task}`)
    const { calls, question } = found
    if (calls.length === 0) return { kind: 'answer', pieces: ['No tool fits.'] }
    const given = question.offered.map(({ name }) => name)
    return {
      kind: 'answer',
      calls: calls.map(({ name, args }, at) => ({
        id: `call_${at}`,
        name: names[given.indexOf(name)] ?? name,
        args: JSON.stringify(args),
      })),
    }
  }
}

interface Routed {
  statuses: Map<string, string>
  summary: {
    choices?: Array<{ runs: number; right: number; matrix: Array<{ expected: string; taken: string; runs: number }> }>
  }
  refusals: string[]
}

async function route(vendor: string, asked: Asked[]): Promise<Routed> {
  const server: ModelServer = await startModelServer()
  onTestFinished(() => server.close())
  const answer = answering(asked)
  server.decide(({ tools, task }) => answer(tools, task))
  const cases = asked.map(({ id, question: { offered, expected } }) => ({
    id,
    input: id,
    tools: offered,
    expect_tool: expected,
  }))
  const dir = makeFolder({ 'cases.jsonl': cases })
  const env = Object.fromEntries([
    ...['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'].map((name) => [name, server.url]),
    ...['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY'].map((name) => [name, 'key-of-a-test']),
  ]) as Record<string, string>
  const ran = await viva(['test', '-n', `${vendor}:m`, '-i', 'cases.jsonl', '-o', 'out.jsonl', '--parallel', '10'], {
    cwd: dir,
    env,
  })
  expect([0, 1], ran.stderr).toContain(ran.code)
  const events = parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8'))
  const results = events.filter(({ type }) => type === 'result')
  return {
    statuses: new Map(
      results.map(({ id, status, error_kind }) => [
        id as string,
        status === 'failed' ? `failed ${String(error_kind)}` : (status as string),
      ]),
    ),
    summary: events.at(-1) as unknown as Routed['summary'],
    refusals: server.refusals,
  }
}

const WRONG = ['other tool', 'missing', 'extra', 'wrong', 'no call', 'two calls']

/** The whole of it, for one set of questions. */
async function examine(questions: Question[], planted: number): Promise<void> {
  const gold: Asked[] = []
  const wrong: Asked[] = []
  for (const question of questions) {
    for (const { calls } of await variantsOf(question, ['acceptable'])) gold.push({ id: question.id, question, calls })
    for (const { kind, calls } of await variantsOf(question, WRONG))
      wrong.push({ id: `${question.id} ${kind}`, question, calls })
  }
  expect(gold).toHaveLength(questions.length)
  for (const vendor of ['openai', 'openai-chat', 'anthropic', 'google']) {
    const { statuses, refusals, summary } = await route(vendor, gold)
    expect(refusals, vendor).toEqual([])
    expect(
      [...statuses].filter(([, status]) => status !== 'passed'),
      vendor,
    ).toEqual([])
    expect(summary.choices?.[0], vendor).toMatchObject({ runs: gold.length, right: gold.length })
  }
  const found = await route('openai-chat', wrong)
  expect([...found.statuses].filter(([, status]) => status !== 'failed assertion')).toEqual([])
  expect(found.statuses.size).toBe(wrong.length)
  await examineConfusions(questions, gold, planted)
}

/** The first questions are answered with another of their tools; the matrix must say which, and nothing else. */
async function examineConfusions(questions: Question[], gold: Asked[], planted: number): Promise<void> {
  const confusable = questions.filter(({ others }) => others.length > 0).slice(0, planted)
  expect(confusable).toHaveLength(planted)
  const asked = gold.map((each) => {
    const [other] = confusable.includes(each.question) ? each.question.others : []
    return other === undefined ? each : { ...each, calls: [{ name: other, args: {} }] }
  })
  const { summary } = await route('openai-chat', asked)
  const [choices] = summary.choices ?? []
  const expected = new Map<string, number>()
  for (const { name, others } of confusable) {
    const key = JSON.stringify([name, others[0]])
    expected.set(key, (expected.get(key) ?? 0) + 1)
  }
  const seen = (choices?.matrix ?? []).filter((cell) => cell.expected !== cell.taken)
  expect(new Map(seen.map((cell) => [JSON.stringify([cell.expected, cell.taken]), cell.runs]))).toEqual(expected)
  expect(choices).toMatchObject({ runs: questions.length, right: questions.length - planted })
}

test('a fixture: gold calls pass, wrong ones fail, and the planted confusions are found', async () => {
  const dir = makeFolder({ 'own.jsonl': OWN_QUESTIONS, 'own.answers.jsonl': OWN_ANSWERS })
  const questions = await importQuestions(dir, 'own.jsonl')
  expect(questions).toHaveLength(3)
  await examine(questions, 2)
})

test('types become those of JSON Schema, at every depth', async () => {
  const dir = makeFolder({ 'own.jsonl': OWN_QUESTIONS, 'own.answers.jsonl': OWN_ANSWERS })
  const [, second] = await importQuestions(dir, 'own.jsonl')
  expect(second?.offered[0]?.inputSchema).toEqual({
    type: 'object',
    properties: { near: { type: 'array', items: { type: 'number' } }, filter: { type: 'object' }, extra: {} },
    required: ['near'],
  })
  expect(second?.offered[1]?.inputSchema).toMatchObject({ properties: { stops: { type: 'array', items: {} } } })
})

test.skipIf(!existsSync(REAL))(
  'BFCL multiple, all questions, and 30 planted confusions',
  { timeout: 300_000 },
  async () => {
    const dir = makeFolder()
    writeFiles(dir, {
      'multiple.jsonl': readFileSync(REAL),
      'multiple.answers.jsonl': readFileSync(REAL.replace('.jsonl', '.answers.jsonl')),
    })
    const questions = await importQuestions(dir, 'multiple.jsonl')
    expect(questions).toHaveLength(200)
    await examine(questions, 30)
  },
)

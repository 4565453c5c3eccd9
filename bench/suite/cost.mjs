// What a mutant costs, whether memory stays flat, and whether a weak and a strict suite are told apart.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { measure, mb, seconds, table } from '../support/measure.mjs'
import { WORK } from '../support/paths.mjs'
import { record } from '../support/record.mjs'
import { VIVA } from '../support/viva.mjs'
import { loadProduct } from '../support/product.mjs'

const product = await loadProduct('suite')
const AGENT = `${WORK}suite-agent.mjs`
writeFileSync(
  AGENT,
  `export default (messages) => {
  const text = messages.at(-1).content
  const n = Number(/\\d+/.exec(text)?.[0] ?? 0)
  if (n % 3 === 1) return { content: JSON.stringify({ id: 'R-' + (1000 + n), total: n, date: '2026-03-1' + (n % 10), customer: 'Anna Malone' }), tool_calls: [] }
  return {
    content: 'Order A-' + (1000 + n) + ' of Anna Malone was booked for ' + n + '.50 dollars on 2026-03-1' + (n % 10) + '. What else can I do?',
    tool_calls: [
      { name: 'find_order', args: { id: 'A-' + (1000 + n) }, result: { total: n } },
      { name: 'book', args: { id: 'A-' + (1000 + n), amount: n, express: false }, result: { ok: true } },
    ],
  }
}\n`,
)

const weak = () => [{ type: 'contains', value: 'a' }]
const usual = (n) => [
  { type: 'contains', value: n % 3 === 1 ? 'total' : 'booked' },
  ...(n % 3 === 1
    ? [{ type: 'json_path', path: '$.total', value: n }]
    : [{ type: 'tool_called', name: 'book', arguments: { amount: n } }]),
]

/** Every tenth has a conversation of 30 messages. */
function caseOf(n, assert) {
  const ask = `please handle order ${n}`
  if (n % 10 !== 9) return { id: `C${n}`, input: ask, assert }
  const turns = Array.from({ length: 15 }, () => ({ input: ask }))
  return { id: `C${n}`, turns, final_assertions: assert }
}

async function recorded(name, count, assertFor) {
  const [cases, events] = [`${WORK}${name}.cases.jsonl`, `${WORK}${name}.events.jsonl`]
  writeFileSync(cases, Array.from({ length: count }, (_, n) => `${JSON.stringify(caseOf(n, assertFor(n)))}\n`).join(''))
  rmSync(events, { force: true })
  const run = await measure(process.execPath, [VIVA, 'test', '-i', cases, '-n', AGENT, '-o', events], { cwd: WORK })
  if (run.code !== 0) throw new Error(run.stderr)
  return { cases, events }
}

async function mutate({ cases, events }, ...flags) {
  const out = `${WORK}mutation.json`
  rmSync(out, { force: true })
  const run = await measure(process.execPath, [VIVA, 'mutate', events, '-i', cases, '-o', out, ...flags], { cwd: WORK })
  if (run.code !== 0) throw new Error(run.stderr)
  const text = readFileSync(out, 'utf8')
  return { ...run, text, report: JSON.parse(text) }
}

const small = await mutate(await recorded('suite-100', 100, usual))
const given = await recorded('suite-400', 400, usual)
const large = await mutate(given)
const again = await mutate(given)
const playing = await cpuOfPlays()
const rows = [small, large].map(({ report, cpu, rss }) => [
  String(report.cases),
  String(report.mutants),
  seconds(cpu),
  mb(rss),
])

const vague = (await mutate(await recorded('suite-vague', 24, weak))).report
const strict = await strictSuite()
record(
  'suite: cost of a mutant',
  [
    `Judging a mutant: ${playing.toFixed(0)} µs CPU (1,000 cases, every tenth with 30 messages, all operators, deterministic assertions).`,
    '',
    'The whole command, proposals and report included:',
    '',
    table(['cases', 'mutants', 'CPU', 'memory'], rows),
    '',
    `The same report twice, byte for byte: ${large.text === again.text ? 'yes' : 'NO'}.`,
    '',
    `On 24 cases \`contains: "a"\` scores ${vague.score}%; exact \`equals\` kills ${strict.killed} of ${strict.seen} mutants that change what it sees${strict.left.length > 0 ? `; not: ${strict.left.join('; ')}` : ''}.`,
  ].join('\n'),
)

/** CPU of the plays alone. */
async function cpuOfPlays() {
  const stages = product.openStages()
  const { cases, conducts } = inMemory(1000)
  const tools = new Map([['cancel', { id: 'A-1' }]])
  let [count, spent] = [0, 0]
  for (const [index, testCase] of cases.entries()) {
    const stage = stages.of(testCase)
    const conduct = conducts[index]
    const original = {
      testCase,
      conduct,
      judged: [conduct.replies.length - 1],
      otherAnswer: 'Something else.',
      tools,
      names: [],
    }
    const before = process.cpuUsage()
    for (const mutant of product.mutantsOf(original)) {
      await stage.play(mutant.conduct)
      count += 1
    }
    const { user, system } = process.cpuUsage(before)
    spent += user + system
  }
  await stages.close()
  return spent / count
}

function inMemory(count) {
  const cases = []
  const conducts = []
  for (let n = 0; n < count; n += 1) {
    const written = caseOf(n, usual(n))
    const isTalk = written.turns !== undefined
    const content =
      n % 3 === 1
        ? JSON.stringify({ id: `R-${n}`, total: n, date: '2026-03-11' })
        : `Order A-${1000 + n} of Anna Malone was booked for ${n}.50 dollars on 2026-03-11.`
    const tool_calls =
      n % 3 === 1
        ? []
        : [
            { name: 'find_order', args: { id: `A-${n}` }, result: {} },
            { name: 'book', args: { id: `A-${n}`, amount: n, express: false }, result: {} },
          ]
    cases.push(product.normalizeCase(written))
    conducts.push({
      replies: Array.from({ length: isTalk ? 15 : 1 }, () => ({ content, tool_calls, duration_ms: 400 })),
      said: [],
    })
  }
  return { cases, conducts }
}

/** `equals` of what was said: of the mutants that say something else. */
async function strictSuite() {
  const stages = product.openStages()
  const { conducts } = inMemory(24)
  const found = { killed: 0, seen: 0, left: [] }
  for (const [n, { replies }] of conducts.entries()) {
    const [reply] = replies
    const testCase = product.normalizeCase({
      id: `C${n}`,
      input: `please handle order ${n}`,
      assert: [{ type: 'equals', value: reply.content }],
    })
    const conduct = { replies: [reply], said: [] }
    const stage = stages.of(testCase)
    for (const mutant of product.mutantsOf({
      testCase,
      conduct,
      judged: [0],
      otherAnswer: 'Something else.',
      tools: new Map(),
      names: [],
    })) {
      if (mutant.conduct.replies[0]?.content === reply.content) continue
      found.seen += 1
      if ((await stage.play(mutant.conduct)).verdict === 'failed') found.killed += 1
      else found.left.push(`C${n} ${mutant.what}`)
    }
  }
  await stages.close()
  return found
}

// Is the mutation score worth anything? Against the natural failures of a real model, on public data.
// The seeds are fixed here; operators and weights know nothing of this data.
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { record } from '../support/record.mjs'
import { loadProduct } from '../support/product.mjs'
import { mean, randomFrom, rankCorrelation } from './statistics.mjs'
import { readTasks } from './tau-bench.mjs'

const folder = process.argv[2]
if (folder === undefined) {
  console.error(`usage: node bench/suite/run.mjs FOLDER, which holds tau-bench/ (not ${homedir()})`)
  process.exit(2)
}
const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1)
const SUITES = 40
const product = await loadProduct('suite')
const stages = product.openStages()
const tasks = readTasks(resolve(folder))
const lines = []
const say = (...texts) => lines.push(...texts)

const caseOf = (task, assert) => product.normalizeCase({ id: task.id, input: task.task.instruction, assert })
const goodTrials = (task) => task.trials.filter(({ good }) => good)
const badTrials = (task) => task.trials.filter(({ good }) => !good)
const goodsOf = (task, without) => [
  task.gold,
  ...goodTrials(task)
    .filter((trial) => trial !== without)
    .map(({ conduct }) => conduct),
]

async function* recorded(list) {
  yield* list
}

const learnFrom = (without, withGold = true) =>
  product.learn({
    stages,
    cases: () =>
      recorded(
        tasks.map((task) => ({
          testCase: caseOf(task, []),
          results: [],
          goods: withGold ? goodsOf(task, without) : goodsOf(task, without).slice(1),
        })),
      ),
  })

say(
  `${tasks.length} tasks, ${tasks.flatMap(goodTrials).length} good and ${tasks.flatMap(badTrials).length} bad runs. Seeds 1–${SEEDS.length}.`,
)

await doNothing()
await correlations()
await proposals()
await mining()
await stages.close()
record('suite: tau-bench airline', lines.join('\n'))

/** The gold actions and outputs as cases, without tools that good runs of one task call as they like. */
async function doNothing() {
  const { tools, reliability } = await learnFrom()
  const free = tools.names.filter((name) => !reliability.isTrusted({ type: 'tool_called', name }))
  say('', `Tools that good runs of one task call as they like, found from the runs: ${free.join(', ')}.`, '')
  const passed = []
  for (const task of tasks) {
    const called = new Set(task.task.actions.map(({ name }) => name))
    const assert = [
      ...tools.names
        .filter((name) => !free.includes(name))
        .map((name) => ({ type: called.has(name) ? 'tool_called' : 'tool_not_called', name })),
      ...task.task.outputs.map((value) => ({ type: 'contains', value })),
    ]
    const agents = await product.passedTrivially(stages.of(caseOf(task, assert)), [])
    if (agents.length > 0) passed.push(`${task.id} (${agents.join(', ')})`)
  }
  say(`**Agents that do nothing** pass ${passed.length} of ${tasks.length} tasks: ${passed.join(', ')}.`, '')
}

/** Of one task: what the gold run suggests, kind by kind, as far as it holds on every good run. */
async function poolOf(task, bound) {
  const { actions, outputs } = task.task
  const names = [...new Set(actions.map(({ name }) => name))]
  const all = [
    ...names.map((name) => ({ kind: 'called', spec: { type: 'tool_called', name } })),
    ...actions.map(({ name, kwargs }) => ({
      kind: 'argument',
      spec: { type: 'tool_called', name, arguments: kwargs },
    })),
    ...[...new Set([...names, ...bound])].map((name) => ({
      kind: 'count',
      spec: {
        type: 'tool_called',
        name,
        outcome: 'ok',
        times: actions.filter((action) => action.name === name).length,
      },
    })),
    ...outputs.map((value) => ({ kind: 'text', spec: { type: 'contains', value } })),
  ]
  const held = []
  for (const each of all) {
    const stage = stages.of(caseOf(task, [each.spec]))
    const verdicts = []
    for (const good of goodsOf(task)) verdicts.push((await stage.play(good)).verdict)
    if (verdicts.every((verdict) => verdict === 'passed')) held.push(each)
  }
  return held
}

async function correlations() {
  const { tools, examples, names, answers } = await learnFrom()
  const bound = tools.names.filter((name) => tools.isBound(name))
  // Which assertion of the pool kills which mutant, and finds which bad run: a case fails if one of its assertions does.
  const pool = []
  const mutants = []
  const bad = []
  for (const task of tasks) {
    const own = await poolOf(task, bound)
    const first = pool.length
    pool.push(...own.map(({ kind }) => ({ kind })))
    const testCase = caseOf(
      task,
      own.map(({ spec }) => spec),
    )
    const stage = stages.of(testCase)
    const failing = async (conduct) => {
      const { verdict, failed } = await stage.play(conduct)
      if (verdict === 'failed' && failed.length === 0) return 'always'
      return new Set(failed.map((place) => first + Number(/\[(\d+)\]/.exec(place)[1])))
    }
    const original = { testCase, conduct: task.gold, judged: [0], otherAnswer: answers[0], tools: examples, names }
    for (const mutant of product.mutantsOf(original)) mutants.push(await failing(mutant.conduct))
    for (const { conduct } of badTrials(task)) bad.push(await failing(conduct))
  }
  const share = (sets, chosen) =>
    sets.filter((set) => set === 'always' || [...set].some((index) => chosen.has(index))).length / sets.length
  const kinds = ['called', 'argument', 'count', 'text']
  const draw = (random) => {
    const odds = Object.fromEntries(kinds.map((kind) => [kind, random()]))
    return new Set(pool.flatMap(({ kind }, index) => (random() < odds[kind] ? [index] : [])))
  }
  const fixed = Math.round(pool.length / 2)
  const drawFixed = (random) => {
    const odds = Object.fromEntries(kinds.map((kind) => [kind, random()]))
    const order = pool.map(({ kind }, index) => ({ index, key: random() ** (1 / Math.max(odds[kind], 1e-9)) }))
    return new Set(
      order
        .toSorted((a, b) => b.key - a.key)
        .slice(0, fixed)
        .map(({ index }) => index),
    )
  }
  const rows = [draw, drawFixed].map((way) =>
    SEEDS.map((seed) => {
      const random = randomFrom(seed)
      const suites = Array.from({ length: SUITES }, () => way(random))
      const found = suites.map((suite) => share(bad, suite))
      const score = suites.map((suite) => share(mutants, suite))
      return {
        score: rankCorrelation(score, found),
        count: rankCorrelation(
          suites.map((suite) => suite.size),
          found,
        ),
      }
    }),
  )
  const shown = (values) =>
    `${mean(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`
  const [free, same] = rows
  say(
    `**Rank correlation with the share of natural failures found**, ${SUITES} suites a seed, ${SEEDS.length} seeds: mean (lowest to highest).`,
    `${pool.length} assertions in the pool (${kinds.map((kind) => `${pool.filter((each) => each.kind === kind).length} ${kind}`).join(', ')}), ${mutants.length} mutants.`,
    '',
    '| suites | mutation score | number of assertions |',
    '| --- | --: | --: |',
    `| any size | ${shown(free.map(({ score }) => score))} | ${shown(free.map(({ count }) => count))} |`,
    `| ${fixed} assertions each | ${shown(same.map(({ score }) => score))} | – |`,
    '',
    `All assertions of the pool together find ${bad.filter((set) => set === 'always' || set.size > 0).length} of ${bad.length} failures.`,
    '',
  )
}

/** A suite of tool names only, with every proposal accepted unread; a run is never judged by what was learned from it. */
async function proposals() {
  const counts = { found: 0, lost: 0, before: 0 }
  const misses = []
  for (const task of tasks) {
    for (const trial of task.trials) {
      const knowledge = await learnFrom(trial)
      const goods = goodsOf(task, trial)
      const weak = await namesOnly(task, goods)
      const testCase = caseOf(task, weak)
      const found = await product.mutateCase(
        { stages },
        { testCase, goods, results: [] },
        knowledge,
        knowledge.answers[0],
        {},
      )
      const strong = caseOf(task, [...weak, ...found.proposals.map(({ assertion }) => assertion)])
      const isFound = (await stages.of(strong).play(trial.conduct)).verdict === 'failed'
      if (!trial.good && (await stages.of(testCase).play(trial.conduct)).verdict === 'failed') counts.before += 1
      if (trial.good && isFound)
        misses.push({
          trial,
          lost: (await stages.of(strong).play(trial.conduct)).failed.map(
            (place) => strong.assertions[Number(/\[(\d+)\]/.exec(place)?.[1])],
          ),
        })
      if (!trial.good && !isFound) misses.push({ trial })
      if (isFound) counts[trial.good ? 'lost' : 'found'] += 1
    }
  }
  const bad = tasks.flatMap(badTrials).length
  const good = tasks.flatMap(goodTrials).length
  say(
    `**Tool names only, all proposals accepted unread:** ${counts.found} of ${bad} natural failures found (${counts.before} before), ${counts.lost} of ${good} good runs lost.`,
    ...misses.map(
      ({ trial, lost }) =>
        `- ${trial.name}: ${
          lost
            ? `a good run fails ${lost
                .map((spec) => JSON.stringify(spec))
                .join(', ')
                .slice(0, 400)}`
            : 'a failure is not found'
        }`,
    ),
    '',
  )
}

async function namesOnly(task, goods) {
  const specs = [...new Set(task.task.actions.map(({ name }) => name))].map((name) => ({ type: 'tool_called', name }))
  const held = []
  for (const spec of specs) {
    const stage = stages.of(caseOf(task, [spec]))
    const verdicts = []
    for (const good of goods) verdicts.push((await stage.play(good)).verdict)
    if (verdicts.every((verdict) => verdict === 'passed')) held.push(spec)
  }
  return held
}

/** From good trials alone, all but one, everything accepted unread; rotated. */
async function mining() {
  const chosen = tasks.filter((task) => goodTrials(task).length >= 2)
  const counts = { lost: 0, good: 0, found: 0, bad: 0 }
  const misses = []
  const mined = async (task, without) => {
    const knowledge = await learnFrom(without, false)
    const goods = goodsOf(task, without).slice(1)
    const { assertions } = await product.mineCase(stages, { testCase: caseOf(task, []), goods, results: [] }, knowledge)
    return caseOf(
      task,
      assertions.map(({ assertion }) => assertion),
    )
  }
  for (const task of chosen) {
    for (const trial of goodTrials(task)) {
      const testCase = await mined(task, trial)
      const { verdict, failed } = await stages.of(testCase).play(trial.conduct)
      counts.good += 1
      if (verdict !== 'failed') continue
      counts.lost += 1
      misses.push(
        `${trial.name}: a good run fails ${failed
          .map((place) => JSON.stringify(testCase.assertions[Number(/\[(\d+)\]/.exec(place)?.[1])]))
          .join(', ')
          .slice(0, 400)}`,
      )
    }
    const testCase = await mined(task, undefined)
    for (const trial of badTrials(task)) {
      counts.bad += 1
      if ((await stages.of(testCase).play(trial.conduct)).verdict === 'failed') counts.found += 1
      else misses.push(`${trial.name}: a failure is not found`)
    }
  }
  say(
    `**Mined from good runs, all but one, accepted unread:** ${counts.lost} of ${counts.good} held-out good runs fail, ${counts.found} of ${counts.bad} bad runs fail (${chosen.length} tasks with at least two good runs).`,
    ...misses.map((text) => `- ${text}`),
  )
}

// `viva mutate`: what an agent could do worse without the suite noticing.
import { suggest } from '../../base/suggest.js'
import { UserError } from '../../errors.js'
import { canonicalJson } from '../../base/json/canonical-json.js'
import { hash } from 'node:crypto'
import type { AssertionSpec } from '../../model/assertion.js'
import type { TestCase } from '../../model/case.js'
import type { ResultEvent } from '../../model/event.js'
import { conductOf, type Conduct } from '../conduct.js'
import { asksOthers } from '../checks.js'
import { candidatesFor } from '../propose/candidates.js'
import { ToolHabits, type Tools } from '../propose/from-calls.js'
import { propose, type Proposal } from '../propose/proposals.js'
import { Reliability } from '../propose/reliability.js'
import type { RecordedCase, Suite } from '../read-suite.js'
import type { Stage } from '../stage.js'
import { TRIVIAL_AGENTS } from '../trivial/agents.js'
import { passedTrivially, type Vacuous } from '../trivial/vacuous.js'
import { messagesIn } from '../stage.js'
import { mutantsOf, type NamedMutant } from './mutants.js'
import type { Original } from './operator.js'
import type { OpenMutant, Survivor } from './open-mutants.js'
import { OPERATORS } from './registry.js'
import { factsIn } from './text-facts.js'
import { outputIn } from './change.js'

export interface CaseMutation {
  id: string
  mutants: number
  killed: number
  survived: number
  /** Only a judge, a script or a snapshot could kill them. */
  open: number
  survivors: Survivor[]
  proposals: Array<Omit<Proposal, 'kills'> & { kills: string[] }>
  /** Assertions that no mutant fails, by place. */
  idle: string[]
  /** By operator. */
  made: Record<string, { about: string; made: number; survived: number }>
  vacuous?: Vacuous & { accepted?: string }
  /** Why it was not looked at. */
  not_examined?: string
  /** Of runs that are known to be bad. */
  against?: { found: number; missed: number }
}

/** What the whole suite knows, before any case is looked at. */
export interface Knowledge {
  tools: Tools
  reliability: Reliability
  examples: ReadonlyMap<string, unknown>
  names: string[]
  answers: unknown[]
}

/** Two passes: which tools there are, then which kinds of assertions can be relied on. */
export async function learn({ cases, stages }: Pick<Suite, 'cases' | 'stages'>): Promise<Knowledge> {
  const habits = new ToolHabits()
  const names = new Set<string>()
  const answers: unknown[] = []
  for await (const { goods } of cases()) {
    const [first] = goods
    if (!first) continue
    habits.add(goods.map(({ replies }) => replies.flatMap(({ tool_calls }) => tool_calls)))
    const output = outputIn(first, first.replies.length - 1)
    if (answers.length < 2 && output !== undefined && output !== '' && !answers.includes(output)) answers.push(output)
    if (names.size < 20 && typeof output === 'string')
      for (const { kind, text } of factsIn(output)) if (kind === 'name' && names.size < 20) names.add(text)
  }
  const tools = habits.tools()
  const reliability = new Reliability()
  for await (const { testCase, goods } of cases()) await reliability.add(stages, bareCase(testCase), goods, tools)
  return { tools, reliability, examples: habits.examples, names: [...names], answers }
}

/** What can be relied on does not depend on what the case has already. */
function bareCase(testCase: TestCase): TestCase {
  return { ...testCase, assertions: [] }
}

export interface MutateOptions {
  /** Results that are known to be bad, of one case. */
  badRuns?: (id: string) => ResultEvent[]
  /** Leave the proposals out: a gate does not need them. */
  bare?: boolean
  /** Told of every mutant that only others can decide. */
  onOpen?: (mutant: OpenMutant) => void
}

/** One case after another, in the order of the file. */
export async function* mutateSuite(
  suite: Pick<Suite, 'cases' | 'stages'>,
  options: MutateOptions = {},
): AsyncGenerator<{ testCase: TestCase; found: CaseMutation }> {
  const knowledge = await learn(suite)
  let before: unknown
  for await (const recorded of suite.cases()) {
    const [good] = recorded.goods
    const other =
      before ?? knowledge.answers.find((answer) => good && answer !== outputIn(good, good.replies.length - 1))
    yield { testCase: recorded.testCase, found: await mutateCase(suite, recorded, knowledge, other, options) }
    if (good) before = outputIn(good, good.replies.length - 1) ?? before
  }
}

export async function mutateCase(
  { stages }: Pick<Suite, 'stages'>,
  recorded: RecordedCase,
  knowledge: Knowledge,
  otherAnswer: unknown,
  options: MutateOptions,
): Promise<CaseMutation> {
  const { testCase, problem } = recorded
  const stage = stages.of(testCase)
  const found: CaseMutation = {
    id: testCase.id,
    mutants: 0,
    killed: 0,
    survived: 0,
    open: 0,
    survivors: [],
    proposals: [],
    idle: [],
    made: {},
  }
  const vacuous = await vacuousCase(stage, recorded, knowledge, stages)
  if (vacuous) found.vacuous = vacuous
  if (problem !== undefined) return { ...found, not_examined: problem }
  const goods: Conduct[] = []
  let why: string | undefined
  for (const good of recorded.goods) {
    const played = await stage.play(good)
    if (played.verdict === 'failed') why ??= played.error
    else goods.push(good)
  }
  const [conduct] = goods
  if (!conduct) return { ...found, not_examined: `its answer does not pass these assertions: ${why}` }
  const judged = judgedTurns(testCase, conduct)
  const original: Original = {
    testCase,
    conduct,
    judged,
    otherAnswer,
    tools: knowledge.examples,
    names: knowledge.names,
  }
  const failing = new Set<string>()
  const survivors: NamedMutant[] = []
  for (const mutant of mutantsOf(original, ignoredIn(testCase))) {
    const { verdict, failed } = await stage.play(mutant.conduct)
    found.mutants++
    const row = (found.made[mutant.operator.name] ??= { about: mutant.operator.about, made: 0, survived: 0 })
    row.made++
    if (verdict === 'passed') row.survived++
    for (const place of failed) failing.add(place)
    if (verdict === 'failed') found.killed++
    else if (verdict === 'open') {
      found.open++
      options.onOpen?.({ testCase, conduct: mutant.conduct, survivor: survivorOf(mutant) })
    } else {
      found.survived++
      survivors.push(mutant)
    }
  }
  found.idle = placesOf(testCase)
    .filter(({ place, isOpen }) => !isOpen && !failing.has(place))
    .map(({ place }) => place)
  found.survivors = survivors.map(survivorOf)
  if (!options.bare && survivors.length > 0)
    await addProposals(found, survivors, { stages, testCase, goods, knowledge, judged })
  const bad = options.badRuns?.(testCase.id) ?? []
  if (bad.length > 0) found.against = await againstBad(stage, testCase, bad)
  return found
}

function survivorOf({ operator, what }: NamedMutant): Survivor {
  return { operator: operator.name, about: operator.about, meaning: operator.meaning, what }
}

function ignoredIn({ id, mutations }: TestCase): ReadonlySet<string> {
  for (const name of mutations?.ignore ?? []) if (!isOperator(name)) throw unknownOperator(id, name)
  return new Set(mutations?.ignore)
}

function isOperator(name: string): boolean {
  return OPERATORS.some((operator) => operator.name === name)
}

function unknownOperator(id: string, name: string): UserError {
  const names = OPERATORS.map((operator) => operator.name)
  const near = suggest(name, names)
  return new UserError({
    code: 'UNKNOWN_OPERATOR',
    message: `case ${id}: mutations.ignore: no operator is called "${name}"`,
    hint: near === undefined ? `they are ${names.join(', ')}` : `did you mean "${near}"?`,
  })
}

/** The end, and the turns that have assertions of their own. */
function judgedTurns({ turns = [] }: TestCase, { replies }: Conduct): number[] {
  const last = replies.length - 1
  const own = turns.flatMap(({ assertions }, index) => (assertions.length > 0 && index < last ? [index] : []))
  return [...own, last]
}

interface ProposalContext {
  stages: Suite['stages']
  testCase: TestCase
  goods: Conduct[]
  knowledge: Knowledge
  judged: readonly number[]
}

/** First what is about the end of the case; a turn of its own only for what is left. */
async function addProposals(found: CaseMutation, survivors: NamedMutant[], context: ProposalContext): Promise<void> {
  const { stages, testCase, goods, knowledge, judged } = context
  const open = new Set(survivors.keys())
  const take = async (turn: number | undefined): Promise<void> => {
    const left = [...open]
    if (left.length === 0) return
    const proposals = await propose({
      stages,
      testCase,
      goods,
      survivors: left.map((index) => (survivors[index] as NamedMutant).conduct),
      candidates: trustedFor(goods, knowledge, turn),
      turn,
    })
    for (const { kills, ...proposal } of proposals) {
      const killed = kills.map((each) => left[each] as number).filter((index) => open.has(index))
      for (const index of killed) {
        open.delete(index)
        const survivor = found.survivors[index]
        if (survivor) survivor.killed_by = found.proposals.length
      }
      found.proposals.push({ ...proposal, kills: killed.map((index) => found.survivors[index]?.what ?? '') })
    }
  }
  await take(undefined)
  for (const turn of judged.slice(0, -1)) await take(turn)
}

/** Candidates of kinds that have not been wrong about good runs. */
export function trustedFor(
  goods: readonly Conduct[],
  { tools, reliability }: Knowledge,
  turn?: number,
): AssertionSpec[] {
  return candidatesFor(goods, tools, turn).filter((spec) => reliability.isTrusted(spec))
}

/** Every assertion of a case, by place. */
export function placesOf(testCase: TestCase): Array<{ place: string; spec: AssertionSpec; isOpen: boolean }> {
  const { assertions, turns = [], final_assertions = [], checkpoints = [] } = testCase
  const list = (name: string, specs: AssertionSpec[]) =>
    specs.map((spec, index) => ({ place: `${name}[${index}]`, spec, isOpen: asksOthers(spec) }))
  return [
    ...list('assert', assertions),
    ...turns.flatMap((turn, index) => list(`turns[${index}].assert`, turn.assertions)),
    ...list('final_assertions', final_assertions),
    ...list(
      'checkpoints',
      checkpoints.map(({ assertion }) => assertion),
    ),
  ]
}

async function againstBad(
  stage: Stage,
  testCase: TestCase,
  results: ResultEvent[],
): Promise<{ found: number; missed: number }> {
  const counts = { found: 0, missed: 0 }
  for (const result of results) {
    const conduct = conductOf(result, testCase)
    const verdict = conduct && (await stage.play(conduct)).verdict
    counts[verdict === undefined || verdict === 'failed' ? 'found' : 'missed'] += 1
  }
  return counts
}

async function vacuousCase(
  stage: Stage,
  { testCase, goods, results }: RecordedCase,
  knowledge: Knowledge,
  stages: Suite['stages'],
): Promise<CaseMutation['vacuous'] | undefined> {
  const said = goods[0]?.said ?? []
  const agents = await passedTrivially(stage, said)
  if (agents.length === 0) return undefined
  const found: NonNullable<CaseMutation['vacuous']> = { id: testCase.id, agents }
  if (testCase.vacuous !== undefined) found.accepted = testCase.vacuous
  if (goods.length === 0 || results.length === 0) return found
  // An agent that does nothing, as a mutant: what kills all of them would have caught it.
  const asked = messagesIn(testCase.messages ?? testCase.input ?? '')
  const turns = Math.max(1, goods[0]?.replies.length ?? 1)
  const survivors = TRIVIAL_AGENTS.filter(({ name }) => agents.includes(name)).map(({ answer }): Conduct => ({
    replies: Array.from({ length: turns }, () => answer(asked, testCase)),
    said,
  }))
  const [best] = await propose({ stages, testCase, goods, survivors, candidates: trustedFor(goods, knowledge) })
  if (best && best.kills.length === survivors.length) found.catch = best.assertion
  return found
}

/** What a case asks and checks, for finding those whose checks another one makes, too. */
export function printOf({ input, messages, turns, assertions, final_assertions = [] }: TestCase): {
  asked: string
  checks: Set<string>
} {
  const said = { input, messages, turns: turns?.map((turn) => turn.input) }
  const all = [...assertions, ...final_assertions, ...(turns ?? []).flatMap((turn) => turn.assertions)]
  return {
    asked: hash('sha256', canonicalJson(said)).slice(0, 16),
    checks: new Set(all.map((spec) => hash('sha256', canonicalJson(spec)).slice(0, 12))),
  }
}

// What a run works on: `-i` → cases with an agent, or script test files.
import { UserError } from '../errors.js'
import type { Agent } from '../model/agent.js'
import { GENERATED } from '../model/cassette.js'
import { HelperLedger, type HelperCost } from '../model/helper-cost.js'
import type { RunOptions } from '../config/options.js'
import type { GoOn, IsDone, Jobs, Planned } from '../model/plan.js'
import type { ScriptFile } from '../model/script.js'
import type { CaseSource } from '../model/source.js'
import { defined } from '../base/defined.js'
import { suggest } from '../base/suggest.js'
import { planCases, planScripts, selectTests } from '../pipeline/plan/build-plan.js'
import { expandLooks, expandRuns } from '../pipeline/plan/expand-runs.js'
import { isFiltering, isSelected, type Selection } from '../pipeline/plan/filter.js'
import { orderPlanned } from '../pipeline/plan/order.js'
import { choose, type Chosen } from './chosen.js'
import type { Helpers } from './helpers/helpers.js'
import type { RunIo } from './io.js'
import type { Redactor } from '../redact/redactor.js'
import { requireGeneratorConnector, requireHelperModels } from './helpers/require-helper-connector.js'
import { requireNoEndpointFlags } from './unit/endpoint-flags.js'
import { resolveTested, type Tested } from './unit/tested.js'
import type { Project } from './project.js'
import type { Settings } from './settings.js'

export type Work = AgentWork | ScriptWork

interface WorkBase {
  label: string
  /** Cases that the selection leaves. */
  total: number
  /** What is selected, the first run of each. */
  planned(): AsyncIterable<Planned[]>
  /** Every run of it that has no result yet. `goOn`: once all cases have had equally many, whether they get more. */
  jobs(goOn: GoOn, isDone?: IsDone): Jobs
  close(): Promise<void>
}

export interface AgentWork extends WorkBase {
  mode: 'agent'
  /** One for each variant, the baseline first. */
  tested: Tested[]
  /** Of the baseline. */
  agent: Agent
  source: CaseSource
  /** What generating the cases cost. */
  helpers?: HelperCost[]
}

export interface ScriptWork extends WorkBase {
  mode: 'script_test'
  files: ScriptFile[]
}

export interface WorkInit {
  settings: Settings
  io: RunIo
  project: Project
  helpers: Helpers
  redactor: Redactor
  /** No model is called. */
  isOffline: boolean
  /** Ends the generation of cases too. */
  signal: AbortSignal
}

export async function openWork(init: WorkInit): Promise<Work> {
  const { input } = init.settings
  return input.kind === 'script_test' ? openScripts(init, input.value) : openCases(init)
}

async function openCases(init: WorkInit): Promise<AgentWork> {
  const { project, settings } = init
  const { input, options, decide } = settings
  const isGenerated = input.kind === 'generator_agent' || input.kind === 'generator_script'
  if (isGenerated && settings.variants.some(({ target }) => target === undefined)) throw nameRequired(input.value)
  if (isGenerated) requireGeneratorConnector(settings, input)
  const tested = await resolveTested(settings, project)
  const [{ agent }] = tested as [Tested]
  const ledger = new HelperLedger()
  const source = isGenerated ? await generate(tested, init, ledger) : await open(tested, init)
  try {
    const chosen = await choose({
      settings,
      io: init.io,
      label: source.label,
      agents: tested.map((each) => init.redactor.text(each.agent.id)),
      ids: (selected) => idsOf(source, selected),
    })
    const { selection } = chosen
    const total = await countSelected(source, selection)
    if (total === 0 && !(await isEmptyShard(source, selection))) throw nothingMatches(options)
    source.warnings.push(...(await doubtfulTags(source, selection)))
    const inFile = (): AsyncIterable<Planned[]> => planCases(source.cases(), selection)
    const planned = inOrder(inFile, chosen)
    // Another pass over the cases, if anything in them asks for it. What a dry run has generated is only to be looked at.
    const isDraft = isGenerated && options.dry_run
    if (!isDraft && (project.expectsJudge() || source.multi_turn === true))
      await requireHelperModels(inFile(), { settings, project, isOffline: init.isOffline })
    const variants = tested.map(({ variant }) => variant)
    return {
      mode: 'agent',
      label: source.label,
      total,
      tested,
      agent,
      source,
      planned,
      jobs: (goOn, isDone) =>
        decide && options.runs === 'auto'
          ? expandLooks(planned, { looks: decide.rule.looks, goOn, variants, isDone })
          : expandRuns(planned(), { runs: options.runs, variants, isDone }),
      close: () => source.close(),
      ...defined({ helpers: ledger.rows() }),
    }
  } catch (error) {
    await source.close()
    throw error
  }
}

async function open(tested: Tested[], { settings, io, project }: WorkInit): Promise<CaseSource> {
  const { referenceChecks } = await import('./check-references.js')
  const { openSource } = await import('../pipeline/sources/open-source.js')
  const { input, cwd, options, inline } = settings
  const checks = {
    strict: options.strict,
    otherInput: options.simulator !== undefined || options.interactive,
    ...referenceChecks(tested, project, settings),
  }
  if (inline.cases) {
    const { openInlineCases } = await import('../pipeline/sources/program-cases.js')
    return openInlineCases(inline.cases, { dir: cwd, ...checks })
  }
  return openSource(input, {
    cwd,
    ...checks,
    ...(input.kind === 'stdin' && io.stdin && { stdin: typeof io.stdin === 'function' ? io.stdin() : io.stdin }),
    ...(input.files.length > 1 && { checksIn: (dir) => referenceChecks(tested, project, { ...settings, dir }) }),
  })
}

/** Derived from the agent under test, which a generator is told about. */
async function generate(
  tested: Tested[],
  { settings, io, helpers, project, signal }: WorkInit,
  ledger: HelperLedger,
): Promise<CaseSource> {
  const { openGenerated } = await import('./helpers/generated.js')
  const [{ agent, testsDir: agentDir }] = tested as [Tested]
  const ask = helpers.askFor({ case_id: GENERATED, run: 1, attempt: 1, agentDir, ledger })
  const { referenceChecks } = await import('./check-references.js')
  const checks = referenceChecks(tested, project, settings)
  return openGenerated({ settings, clock: io.clock, agent, ask, checks, signal })
}

/** The second part of a run continues with the cases of the first. */
export function requireSameInput(work: Work, { interrupted, options }: Settings): void {
  if (!interrupted || work.mode !== 'agent' || options.force) return
  const before = interrupted.start.input_hash
  if (before === undefined || work.source.hash === undefined || before === work.source.hash) return
  throw new UserError({
    code: 'INPUT_CHANGED',
    message: `${work.label} has changed since the run in ${interrupted.path} began`,
    hint: 'start a new run, or continue anyway with --force (finished ids are not run again)',
  })
}

async function openScripts({ settings, project, io }: WorkInit, ref: string): Promise<ScriptWork> {
  const { options, variants } = settings
  if (variants.length > 1) throw noVariants(ref)
  requireNoEndpointFlags(settings, ref)
  if (settings.selection.tags.length > 0) throw noTags(ref)
  const files = await project.scripts.find(ref)
  const chosen = await choose({ settings, io, label: ref, agents: [], ids: (selected) => testIds(files, selected) })
  const { selection } = chosen
  const count = (selected: Selection): number =>
    files.reduce((sum, file) => sum + selectTests(file, selected).length, 0)
  const total = count(selection)
  const inOtherShards = selection.shard !== undefined && count(wholeOf(selection)) > 0
  if (total === 0 && !inOtherShards)
    throw files.some((file) => file.tests.length > 0) ? nothingMatches(options) : noTests(files)
  const planned = inOrder(() => planScripts(files, selection), chosen)
  return {
    mode: 'script_test',
    label: ref,
    total,
    files,
    planned,
    jobs: (_goOn, isDone) => expandRuns(planned(), { runs: options.runs, variants: [undefined], isDone }),
    close: async () => {},
  }
}

function inOrder(batches: () => AsyncIterable<Planned[]>, { rank }: Chosen): () => AsyncIterable<Planned[]> {
  return rank ? () => orderPlanned(batches, rank) : batches
}

async function* idsOf(source: CaseSource, selection: Selection): AsyncGenerator<string> {
  for await (const batch of source.cases())
    for (const { testCase } of batch) if (isSelected(testCase, selection)) yield testCase.id
}

async function* testIds(files: ScriptFile[], selection: Selection): AsyncGenerator<string> {
  for (const file of files) for (const test of selectTests(file, selection)) yield test.id
}

async function countSelected(source: CaseSource, selection: Selection): Promise<number> {
  if (!isFiltering(selection) && source.total !== undefined) return source.total
  let count = 0
  for await (const _ of idsOf(source, selection)) count += 1
  return count
}

/** Another tag of the selection may have matched: nothing is lost without this one. */
async function doubtfulTags(source: CaseSource, { tags, without = [] }: Selection): Promise<string[]> {
  if (tags.length + without.length === 0) return []
  const known = new Set<string>()
  for await (const batch of source.cases())
    for (const { testCase } of batch) for (const tag of testCase.tags ?? []) known.add(tag)
  return [...tags.map((tag) => ({ tag, sign: '' })), ...without.map((tag) => ({ tag, sign: '!' }))].flatMap(
    ({ tag, sign }) => {
      const near = known.has(tag) ? undefined : suggest(tag, [...known])
      // That nothing has a tag which is left out is usual where several suites share a command.
      if (known.has(tag) || (sign === '!' && near === undefined)) return []
      return [`--tag ${sign}${tag}: no case has this tag${near === undefined ? '' : ` – did you mean "${near}"?`}`]
    },
  )
}

/** With few cases some shard may get none; that is fine as long as the others have them. */
async function isEmptyShard(source: CaseSource, selection: Selection): Promise<boolean> {
  return selection.shard !== undefined && (await countSelected(source, wholeOf(selection))) > 0
}

function wholeOf({ shard: _shard, ...rest }: Selection): Selection {
  return rest
}

function noTags(ref: string): UserError {
  return new UserError({
    code: 'NO_TAGS',
    message: `the tests of ${ref} have no tags, so --tag selects none of them`,
    hint: 'select them by name, with --run',
  })
}

function noVariants(ref: string): UserError {
  return new UserError({
    code: 'NO_VARIANTS',
    message: `the tests of ${ref} have no variants: they call what they test directly`,
    hint: 'run them once for each, with one -c, or --variant NAME',
  })
}

function noTests(files: ScriptFile[]): UserError {
  return new UserError({
    code: 'NO_TESTS',
    message: `no test function in ${files.map((file) => file.script_path).join(', ')}`,
    hint: 'a test is a top-level function whose name begins with Test: function TestReady(t, ctx) { … }',
  })
}

function nothingMatches(options: RunOptions): UserError {
  const flags = [
    options.run !== undefined && `--run ${options.run}`,
    options.tag.length > 0 && `--tag ${options.tag.join(' --tag ')}`,
    options.last_failed && '--last-failed',
    options.shard !== undefined && `--shard ${options.shard}`,
  ].filter((text) => text !== false)
  return new UserError({
    code: 'NO_MATCHING_CASE',
    message: flags.length > 0 ? `no case matches ${flags.join(' ')}` : 'there is nothing to run',
    hint: 'viva test -i … --dry-run lists the cases',
  })
}

function nameRequired(use: string): UserError {
  return new UserError({
    code: 'AGENT_REQUIRED',
    message: `cases generated by ${use} need the agent under test`,
    hint: 'name it with -n, for example: -n assistants.expense',
  })
}

// What a run works on: `-i` → cases with an agent, or script test files.
import { dirname, resolve } from 'node:path'
import { UserError } from '../errors.js'
import type { Agent } from '../model/agent.js'
import { GENERATED } from '../model/cassette.js'
import { HelperLedger, type HelperCost } from '../model/helper-cost.js'
import type { RunOptions } from '../config/options.js'
import type { GoOn, IsDone, Jobs, Planned } from '../model/plan.js'
import type { ScriptFile } from '../model/script.js'
import { PlanDigest, type FingerprintOf } from '../model/fingerprint.js'
import type { CaseSource, LoadedCase } from '../model/source.js'
import { defined } from '../base/defined.js'
import { suggest } from '../base/suggest.js'
import { planCases, planScripts, selectTests } from '../pipeline/plan/build-plan.js'
import { expandLooks, expandRuns, type Expansion } from '../pipeline/plan/expand-runs.js'
import { isFiltering, isInShard, isSelected, type Selection } from '../pipeline/plan/filter.js'
import { orderPlanned } from '../pipeline/plan/order.js'
import { choose, type Chosen, type ChosenCase } from './chosen.js'
import type { Helpers } from './helpers/helpers.js'
import type { RunIo } from './io.js'
import type { Redactor } from '../redact/redactor.js'
import { requireGeneratorConnector, requireHelperModels } from './helpers/require-helper-connector.js'
import { requireNoEndpointFlags } from './unit/endpoint-flags.js'
import { describedTools } from './described-tools.js'
import { requireSetUp } from './unit/require-set-up.js'
import { resolveTested, type Tested } from './unit/tested.js'
import type { Project } from './project.js'
import type { Settings } from './settings.js'

export type Work = AgentWork | ScriptWork

interface WorkBase {
  label: string
  /** Cases that the selection leaves. */
  total: number
  /** Over what they ask and are judged by; with `--shard`, over those of all shards. */
  digest: PlanDigest
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
  fingerprintOf: FingerprintOf
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
  const source = isGenerated
    ? await generate(tested, init, ledger)
    : input.kind === 'contract'
      ? await openContract(tested, init)
      : await open(tested, init)
  const loaded = (): AsyncIterable<LoadedCase[]> => withPrints(source, init)
  try {
    const chosen = await choose({
      settings,
      io: init.io,
      label: source.label,
      agents: tested.map((each) => init.redactor.text(each.agent.id)),
      cases: (selected) => selectedOf(loaded(), selected),
    })
    const { selection } = chosen
    const { total, digest } = await survey(source, loaded, selection)
    // With few cases some shard may get none; that is no mistake, as long as the others have them.
    if (digest.count === 0 || (total === 0 && selection.shard === undefined)) throw nothingMatches(options)
    source.warnings.push(...(await doubtfulTags(source, selection)))
    const inFile = (): AsyncIterable<Planned[]> => planCases(loaded(), selection)
    const planned = inOrder(inFile, chosen)
    // Another pass over the cases, if anything in them asks for it. What a dry run has generated is only to be looked at.
    const isDraft = isGenerated && options.dry_run
    if (!isDraft && (project.expectsJudge() || source.multi_turn === true))
      await requireHelperModels(inFile(), {
        settings,
        project,
        judges: init.helpers.judges,
        isOffline: init.isOffline,
      })
    // The logins of a fleet are with its workers.
    if (!options.dry_run && !init.isOffline && options.queue === undefined) await requireSetUp(tested, inFile)
    const variants = tested.map(({ variant }) => variant)
    const isLeftOut: Expansion['isLeftOut'] = (testCase, variant) =>
      tested.find((each) => each.variant === variant)?.agent.leavesOut?.(testCase) !== undefined
    return {
      mode: 'agent',
      label: source.label,
      total,
      digest,
      tested,
      agent,
      source,
      planned,
      jobs: (goOn, isDone) =>
        decide && options.runs === 'auto'
          ? expandLooks(planned, { looks: decide.rule.looks, goOn, variants, isDone, isLeftOut })
          : expandRuns(planned(), { runs: options.runs, variants, isDone, isLeftOut }),
      close: () => source.close(),
      ...defined({ helpers: ledger.rows() }),
    }
  } catch (error) {
    await source.close()
    throw error
  }
}

async function open(tested: Tested[], { settings, io, project, fingerprintOf }: WorkInit): Promise<CaseSource> {
  const { referenceChecks } = await import('./check-references.js')
  const { openSource } = await import('../pipeline/sources/open-source.js')
  const { input, cwd, options, inline } = settings
  const described = describedTools(tested)
  const checksIn = (dir: string): ReturnType<typeof referenceChecks> => {
    const found = referenceChecks(tested, project, { ...settings, dir })
    return {
      ...found,
      checkOffer: (tools) => {
        described.add(tools)
        return found.checkOffer?.(tools)
      },
    }
  }
  const checks = {
    strict: options.strict,
    otherInput: options.simulator !== undefined || options.interactive,
    fingerprintOf,
    ...checksIn(settings.dir),
  }
  const source = await openChecked()
  await described.finish()
  return source

  async function openChecked(): Promise<CaseSource> {
    if (inline.cases) {
      const { openInlineCases } = await import('../pipeline/sources/program-cases.js')
      return openInlineCases(inline.cases, { dir: inline.dir ?? cwd, ...checks })
    }
    return openSource(input, {
      cwd,
      message: options,
      ...checks,
      ...(input.kind === 'stdin' && io.stdin && { stdin: typeof io.stdin === 'function' ? io.stdin() : io.stdin }),
      ...(input.files.length > 1 && { checksIn }),
    })
  }
}

/** What a server lists is what is tried. */
async function openContract(
  tested: Tested[],
  { settings, project, fingerprintOf, signal }: WorkInit,
): Promise<CaseSource> {
  const [{ agent }] = tested as [Tested]
  if (!agent.survey) throw new Error(`${agent.id} lists nothing that could be tried`)
  const { referenceChecks } = await import('./check-references.js')
  const { contractCases } = await import('./contract-cases.js')
  const { casesFromValues } = await import('../pipeline/sources/values.js')
  const { cases, warnings } = contractCases(await agent.survey(signal), settings.options.allow_destructive)
  const source = await casesFromValues(cases, {
    kind: 'cases',
    label: settings.input.value,
    dir: settings.cwd,
    fingerprintOf,
    ...referenceChecks(tested, project, settings),
  })
  source.warnings.push(...warnings)
  return source
}

/** Derived from the agent under test, which a generator is told about. */
async function generate(
  tested: Tested[],
  { settings, io, helpers, project, fingerprintOf, signal }: WorkInit,
  ledger: HelperLedger,
): Promise<CaseSource> {
  const { openGenerated } = await import('./helpers/generated.js')
  const [{ agent, testsDir: agentDir }] = tested as [Tested]
  const ask = helpers.askFor({ case_id: GENERATED, run: 1, attempt: 1, agentDir, ledger })
  const { referenceChecks } = await import('./check-references.js')
  const checks = { ...referenceChecks(tested, project, settings), fingerprintOf }
  return openGenerated({ settings, clock: io.clock, agent, ask, checks, signal })
}

async function openScripts({ settings, project, io }: WorkInit, ref: string): Promise<ScriptWork> {
  const { options, variants } = settings
  if (variants.length > 1) throw noVariants(ref)
  requireNoEndpointFlags(settings, ref)
  if (settings.selection.tags.length > 0) throw noTags(ref)
  const files = await project.scripts.find(ref)
  const chosen = await choose({ settings, io, label: ref, agents: [], cases: (selected) => testsOf(files, selected) })
  const { selection } = chosen
  const total = files.reduce((sum, file) => sum + selectTests(file, selection).length, 0)
  const digest = new PlanDigest()
  // What a test asks and checks is code, which has no fingerprint.
  for await (const test of testsOf(files, wholeOf(selection))) digest.add(test, { asked: '', judged: '' })
  if (digest.count === 0 || (total === 0 && selection.shard === undefined))
    throw files.some((file) => file.tests.length > 0) ? nothingMatches(options) : noTests(files)
  const planned = inOrder(() => planScripts(files, selection), chosen)
  return {
    mode: 'script_test',
    label: ref,
    total,
    digest,
    files,
    planned,
    jobs: (_goOn, isDone) => expandRuns(planned(), { runs: options.runs, variants: [undefined], isDone }),
    close: async () => {},
  }
}

function inOrder(batches: () => AsyncIterable<Planned[]>, { rank }: Chosen): () => AsyncIterable<Planned[]> {
  return rank ? () => orderPlanned(batches, rank) : batches
}

/** Cases that were not kept in memory are fingerprinted in every pass. */
async function* withPrints(source: CaseSource, { settings, fingerprintOf }: WorkInit): AsyncGenerator<LoadedCase[]> {
  for await (const batch of source.cases()) {
    for (const loaded of batch) {
      if (loaded.print) continue
      const { file } = loaded.testCase
      const dir = file === undefined ? source.dir : dirname(resolve(settings.cwd, file))
      const found = fingerprintOf(loaded.testCase, dir)
      loaded.print = found instanceof Promise ? await found : found
    }
    yield batch
  }
}

async function* selectedOf(batches: AsyncIterable<LoadedCase[]>, selection: Selection): AsyncGenerator<ChosenCase> {
  for await (const batch of batches)
    for (const loaded of batch) if (isSelected(loaded, selection)) yield { id: loaded.testCase.id, print: loaded.print }
}

async function* testsOf(files: ScriptFile[], selection: Selection): AsyncGenerator<ChosenCase> {
  for (const file of files) for (const { id } of selectTests(file, selection)) yield { id }
}

interface Survey {
  total: number
  digest: PlanDigest
}

async function survey(
  source: CaseSource,
  loaded: () => AsyncIterable<LoadedCase[]>,
  selection: Selection,
): Promise<Survey> {
  const { total: all, digest: ofAll } = source
  if (!isFiltering(selection) && all !== undefined && ofAll) return { total: all, digest: ofAll }
  const digest = new PlanDigest()
  const whole = wholeOf(selection)
  let total = 0
  for await (const batch of loaded())
    for (const each of batch) {
      const { testCase, print } = each
      if (!print || !isSelected(each, whole)) continue
      digest.add(testCase, print)
      if (isInShard(testCase.id, selection.shard)) total += 1
    }
  return { total, digest }
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
    hint: 'viva test with the same flags and --dry-run lists the cases',
  })
}

function nameRequired(use: string): UserError {
  return new UserError({
    code: 'AGENT_REQUIRED',
    message: `cases generated by ${use} need the agent under test`,
    hint: 'name it with -n, for example: -n assistants.expense',
  })
}

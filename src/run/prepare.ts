// Everything that must be right before the first case runs; what is wrong is a UserError and nothing has happened yet.
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { UserError } from '../errors.js'
import { descriptionsHash } from '../config/read-descriptions.js'
import type { VariantSpec } from '../model/variant.js'
import { isBareModel } from '../agents/resolve-target.js'
import type { Agent } from '../model/agent.js'
import type { SharePace } from '../http/types.js'
import type { Environment } from '../model/event.js'
import { DEFAULT_SCRIPT_TIMEOUT, DEFAULT_TIMEOUT } from '../config/options.js'
import type { Interceptors } from '../interceptors/compose.js'
import { openInterceptors } from '../interceptors/registry.js'
import { environmentOf, type Identity } from '../pipeline/plan/environment.js'
import { isFiltering } from '../pipeline/plan/filter.js'
import { unsetVariables } from '../process/child-env.js'
import { Processes } from '../process/processes.js'
import { createRedactor, type Redactor } from '../redact/redactor.js'
import { defined } from '../base/defined.js'
import { isRecord } from '../base/record.js'
import { StrayOutput } from './stray-output.js'
import { closeAll, type Closer } from './close-all.js'
import { secretsOf } from '../config/known-secrets.js'
import { createHelpers, type Helpers } from './helpers/helpers.js'
import type { RunIo } from './io.js'
import { openProject, type Project } from './project.js'
import type { Settings } from './settings.js'
import { newRunId } from '../time/new-run-id.js'
import { fingerprintsFor } from './fingerprints.js'
import { requireSamePlan } from './require-same-plan.js'
import { requireStill } from './require-still.js'
import { openWork, type AgentWork, type Work } from './work.js'

export interface Prepared extends Settings {
  run_id: string
  io: RunIo
  project: Project
  work: Work
  identity: Identity
  environment: Environment
  redactor: Redactor
  helpers: Helpers
  interceptors: Interceptors
  strayOutput: StrayOutput
  timeout: string
  /** What packages need and are tested without, as far as it is known by now. */
  without: ReadonlySet<string>
  /** What was warned of so far. */
  warnings: string[]
  warn(text: string): void
  close(): Promise<void>
}

/** Passed in if units come from elsewhere. */
export interface Preset {
  run_id: string
  openWork: typeof openWork
  /** Others call the same endpoints. */
  sharePace?: SharePace
  /** What interceptors have there, by name. */
  lent: Readonly<Record<string, unknown>>
}

export async function prepare(settings: Settings, io: RunIo, signal: AbortSignal, preset?: Preset): Promise<Prepared> {
  const { options } = settings
  if (io.live === false) requireStill(settings)
  await requireTurns(settings)
  const redactor = await openRedactor(settings, io)
  io.useRedactor?.(redactor)
  const warnings: string[] = []
  const warn = (given: string): void => {
    const text = redactor.text(given)
    warnings.push(text)
    io.warn?.(text)
  }
  for (const name of unsetVariables(options.pass_env, io.env)) warn(`--pass-env ${name}: this variable is not set`)
  const identity = await readIdentity(settings)
  requireLocales(settings, identity)
  requireShownNames(settings, redactor)
  const strayOutput = new StrayOutput(warn)
  const run_id = preset?.run_id ?? settings.interrupted?.start.run_id ?? newRunId()
  const secrets = (): Redactor => createRedactor(secretsOf(settings, io.env))
  const interceptors = await openInterceptors({
    ...settings,
    run_id,
    files: settings.input.files,
    isFiltered: isFiltering(settings.selection),
    ...(settings.interrupted && { isDone: settings.interrupted.isDone }),
    env: io.env,
    clock: io.clock,
    now: io.now,
    redactor,
    secrets,
    warn,
    note: io.note,
    onStray: (message, where) => strayOutput.stray(message, where),
    onUnused: io.onUnused,
    live: io.live,
    lent: preset?.lent,
  })
  const processes = new Processes({ env: io.env, cwd: settings.cwd, warn, live: io.live })
  io.useProcesses?.(processes)
  const without = new Set<string>()
  const project = openProject({
    settings,
    without,
    io,
    processes,
    strayOutput,
    warn,
    interceptors,
    secrets,
    ...defined({ sharePace: preset?.sharePace }),
  })
  const closers: Closer[] = [interceptors.close, project.close]
  try {
    const helpers = createHelpers({ settings, project, env: io.env, identity, interceptors, warn })
    closers.push(helpers.close)
    const work = await (preset?.openWork ?? openWork)({
      settings,
      io,
      project,
      helpers,
      redactor,
      fingerprintOf: fingerprintsFor(settings, identity),
      isOffline: interceptors.isOffline,
      signal,
    })
    closers.push(work.close)
    if (work.mode === 'agent') {
      for (const warning of work.source.warnings) warn(warning)
      for (const { agent, variant, spec } of work.tested)
        // A side of a skill may have been asked nothing at all; a question it was not asked has no answer all the same.
        interceptors.requireAgent(agent.id, spec.skill?.side === 'without' ? undefined : variant)
      for (const { agent, spec } of work.tested) warnOf(agent, spec.connector, settings, warn)
      if (project.expectsJudge()) warnOfOwnJudge(work, settings, warn)
    } else {
      for (const { tests, script_path } of work.files)
        if (tests.length === 0) warn(`no test function in ${script_path}: a test's name begins with Test`)
    }
    await requireSamePlan(work, settings, warn)
    requireSameVariants(work, settings, redactor)
    const otherAgent = changedAgent(work, settings, redactor)
    if (otherAgent !== undefined) warn(otherAgent)
    await requireNamedHelpers(settings, project, work)
    await requireConfiguredTools(settings, project, work)
    return {
      ...settings,
      run_id,
      io,
      project,
      work,
      identity,
      environment: environmentOf(identity),
      redactor,
      helpers,
      interceptors,
      strayOutput,
      timeout: options.timeout ?? (work.mode === 'script_test' ? DEFAULT_SCRIPT_TIMEOUT : DEFAULT_TIMEOUT),
      without,
      warnings,
      warn,
      close: () => closeAll(closers),
    }
  } catch (error) {
    await closeAll(closers).catch(() => {})
    throw error
  }
}

/** Parts of the command line and the configuration that do not reach the agent. */
function warnOf(agent: Agent, connector: string | undefined, { config }: Settings, warn: (text: string) => void): void {
  if (agent.recorded && connector !== undefined)
    warn(`-c ${connector} does not change the answers of ${agent.id}: only judges and simulators can use it`)
  if (agent.recordedBy === 'input')
    warn(`${agent.id} has no fingerprints of its cases: of what they asked, only the input is compared`)
  if (isRecord(config.testing?.tools) && agent.allTools === undefined)
    warn(`testing.tools of the configuration: the tools of ${agent.id} cannot be replaced`)
}

/** What the configuration says about tools and state must hold before the first case, as what cases say. */
async function requireConfiguredTools({ config, appRoot }: Settings, project: Project, work: Work): Promise<void> {
  const { tools, state } = config.testing ?? {}
  if (work.mode !== 'agent' || (typeof tools !== 'string' && state === undefined)) return
  const { requireGiven } = await import('./check-references.js')
  const { requireFunction } = await import('./helpers/require-helper.js')
  for (const { agent, testsDir: agentDir } of work.tested) {
    if (state !== undefined) await requireFunction(state, { project, appRoot, agentDir })
    if (typeof tools !== 'string') continue
    requireGiven(await (await project.mockTools()).read(tools, appRoot), tools, agent)
  }
}

/** A model tends to like what it said itself. */
function warnOfOwnJudge({ tested }: AgentWork, { options, config }: Settings, warn: (text: string) => void): void {
  const judge = options.judge ?? config.helpers?.connector ?? ''
  if (isBareModel(judge) && tested.some(({ agent, spec }) => (spec.connector ?? agent.connector) === judge))
    warn(`the judge is ${judge}, the model under test: it judges its own answers`)
}

/** `--resume` with another `-n`: then one file holds answers of two agents under the name of the first. */
function changedAgent(work: Work, { interrupted }: Settings, redactor: Redactor): string | undefined {
  if (!interrupted || work.mode !== 'agent') return undefined
  const before = interrupted.start.agent_id
  const now = redactor.text(work.agent.id)
  // Several cannot be named otherwise: `--variant` is a recorded option.
  if (before === now || interrupted.start.variants) return undefined
  return `${interrupted.path} has answers of ${before}; the missing ones now come from ${now}, and reports name only ${before}`
}

/** The same with several: what was compared must be what is compared now. */
function requireSameVariants(work: Work, { interrupted }: Settings, redactor: Redactor): void {
  const { variants: begun } = interrupted?.start ?? {}
  if (!begun || work.mode !== 'agent') return
  for (const { variant, agent, spec } of work.tested) {
    const before = begun.find(({ name }) => name === variant)
    const now = redactor.text(agent.id)
    if (before && before.descriptions_hash !== descriptionsHash(spec)) throw otherWords(spec)
    if (before?.skills && !isDeepStrictEqual(before.skills, { ...agent.skills }))
      throw otherSkills(before.skills, agent)
    if (before?.agent_id === now) continue
    throw new UserError({
      code: 'VARIANT_CHANGED',
      message: `the variant "${variant}" of ${interrupted?.path} is ${before?.agent_id ?? 'not in it'}, and cannot continue with ${now}`,
      hint: 'leave -n out, or start a new run',
    })
  }
}

function otherWords({ name, descriptions = '' }: VariantSpec): UserError {
  return new UserError({
    code: 'VARIANT_CHANGED',
    message: `the descriptions of the variant "${name}" in ${descriptions} have changed since the run began`,
    hint: 'put the file back as it was, or start a new run',
  })
}

/** Some runs would have one skill, some another, under one name. */
function otherSkills(before: Record<string, string>, { skills = {} }: Agent): UserError {
  const names = [...new Set([...Object.keys(before), ...Object.keys(skills)])].filter(
    (name) => before[name] !== skills[name],
  )
  return new UserError({
    code: 'VARIANT_CHANGED',
    message: `the files of a skill have changed since the run began: ${names.join(', ')}`,
    hint: 'put them back as they were, or start a new run',
  })
}

/** Redacted, two names could become one, and the results of two variants those of one. */
function requireShownNames({ variants }: Settings, redactor: Redactor): void {
  if (variants.length < 2) return
  const hidden = variants.find(({ name }) => redactor.text(name) !== name)
  if (!hidden) return
  throw new UserError({
    code: 'BAD_VARIANT',
    message: `the name of a variant contains a secret, which no result may show: "${redactor.text(hidden.name)}"`,
    hint: 'give it another name: --variant "name=target"',
  })
}

/** What is written after the last case is known to be writable before the first. */
async function requireTurns({ options, appRoot, cwd, input, interrupted }: Settings): Promise<void> {
  const { save_turns, dry_run } = options
  if (save_turns === undefined || dry_run) return
  const { requireTurnsFile } = await import('./outputs/turns-file.js')
  requireTurnsFile(save_turns, { appRoot, options, cwd, input, interrupted })
}

async function openRedactor(settings: Settings, { env }: RunIo): Promise<Redactor> {
  const { redactions } = settings.config
  if (!redactions) return createRedactor(secretsOf(settings, env))
  const { eventKeys } = await import('../model/event-shape.js')
  return createRedactor({ ...secretsOf(settings, env), config: redactions, ownKeys: eventKeys() })
}

async function readIdentity({ options, cwd }: Settings): Promise<Identity> {
  const { user, team, locale, ctx } = options
  const identity = defined({ user, team, locale })
  if (ctx === undefined) return identity
  const { readContextFile } = await import('../pipeline/sources/context-file.js')
  return { ...identity, file: await readContextFile(resolve(cwd, ctx)) }
}

/** A context file beats everything: variants that differ in their locale would be the same. */
function requireLocales({ variants }: Settings, { file }: Identity): void {
  const told = variants.find(({ locale }) => locale !== undefined)
  if (!told || file?.locale === undefined) return
  throw new UserError({
    code: 'VARIANT_IGNORED',
    subject: { flag: '--variant' },
    message: `variant "${told.name}": locale=${told.locale} has no effect, since the context file says ${file.locale}`,
    hint: 'leave the locale out of the variant, or out of the context file',
  })
}

async function requireNamedHelpers({ options, dir, appRoot }: Settings, project: Project, work: Work): Promise<void> {
  const { reporter, simulator } = options
  if (reporter === undefined && simulator === undefined) return
  const { requireReporter, requireSimulator } = await import('./helpers/require-helpers.js')
  const place = { project, appRoot, agentDir: work.mode === 'agent' ? work.tested[0]?.testsDir : undefined }
  if (reporter !== undefined) await requireReporter(reporter, place)
  if (simulator !== undefined) await requireSimulator(simulator, { ...place, dir })
}

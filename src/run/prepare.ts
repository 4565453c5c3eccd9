// Everything that must be right before the first case runs; what is wrong is a UserError and nothing has happened yet.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { UserError } from '../errors.js'
import type { Environment } from '../model/event.js'
import type { RunOptions, VivaConfig } from '../model/options.js'
import type { EventSink } from '../pipeline/record/event-log.js'
import type { Human } from '../pipeline/execute/conversation/contract.js'
import { environmentOf, type Identity } from '../pipeline/plan/environment.js'
import { parseShard, type Selection } from '../pipeline/plan/filter.js'
import type { StopSignal } from '../pipeline/fold/exit-code.js'
import type { Screen } from '../pipeline/report/recording.js'
import { detectInput } from '../pipeline/sources/detect.js'
import { createRedactor, type Redactor } from '../redact/redactor.js'
import { defined } from '../base/defined.js'
import { parseDuration } from '../base/duration.js'
import { messageOf } from '../base/message-of.js'
import { findAppRoot } from '../files/app-root.js'
import { blameConfig } from './config/blame-config.js'
import { loadConfig } from './config/load-config.js'
import { createHelpers, type Helpers } from './helpers.js'
import { openProject, type Project } from './project.js'
import { readInterrupted, type Interrupted } from './resume.js'
import { openGenerated } from './generated.js'
import { knownSecrets } from './config/known-secrets.js'
import { connectorCheck, openWork, packageDir, startDir, type Work } from './work.js'

export interface RunIo {
  cwd: string
  env: NodeJS.ProcessEnv
  stdin: Readable
  screen: Screen
  /** Get every event once it is written: the console, `--json`. */
  sinks: EventSink[]
  warn(text: string): void
  /** For people, after the summary. */
  note?(text: string): void
  now(): Date
  human?: Human
  /** Which signal ended the run, when one did. */
  interruptedBy?(): StopSignal
  /** The outputs are open and the first case is about to run: from now on a stop must be an orderly one. */
  began?(): void
  /** For error texts that do not pass through the event log. */
  useRedactor?(redactor: Redactor): void
  /** Who gets the errors that nobody caught while the run goes on; true means that they have been dealt with. */
  onStray?(take: ((error: unknown) => boolean) | undefined): void
  /** Applied over the defaults and under the flags; the front door knows which flags were given. */
  withConfig?(config: VivaConfig): RunOptions
}

export interface Prepared {
  options: RunOptions
  project: Project
  work: Work
  identity: Identity
  environment: Environment
  redactor: Redactor
  helpers: Helpers
  timeout: string
  interrupted?: Interrupted
  env: NodeJS.ProcessEnv
  warn(text: string): void
  close(): Promise<void>
}

export async function prepare(given: RunOptions, io: RunIo): Promise<Prepared> {
  const interrupted = given.resume === undefined ? undefined : await readInterrupted(resolve(io.cwd, given.resume))
  const cwd = recordedCwd(interrupted) ?? io.cwd
  const before = interrupted ? resumedOptions(given, interrupted) : given
  const input = detectInput(requireInput(before), { cwd })
  const dir = startDir(input, cwd)
  const appRoot = before.app === undefined ? findAppRoot(dir, cwd) : requireDir(resolve(cwd, before.app))
  const config = await loadConfig(appRoot)
  const { options, selection } = await readOptions(() =>
    interrupted ? before : (io.withConfig?.(config) ?? given),
  ).catch((error: unknown) => {
    throw blameConfig(error, before, config)
  })
  if (options.save_turns !== undefined && !options.dry_run) {
    const { requireTurnsFile } = await import('./outputs/turns-file.js')
    requireTurnsFile(options.save_turns, { options, cwd, input, interrupted })
  }
  const coverage = await coverageFolder(options, cwd)
  const redactor = createRedactor({
    env: io.env,
    extraValues: knownSecrets({
      appRoot,
      config,
      env: io.env,
      pass_env: options.pass_env,
      targets: [options.name, options.simulator, options.reporter].filter((target) => target !== undefined),
    }),
    ...(config.redactions && { config: config.redactions }),
  })
  io.useRedactor?.(redactor)
  const warn = (text: string): void => io.warn(redactor.text(text))
  const identity = await readIdentity(options, cwd)
  let helpers: Helpers | undefined
  const project = openProject({
    appRoot,
    cwd,
    config,
    env: io.env,
    pass_env: options.pass_env,
    parallel: options.parallel,
    verbose: options.verbose,
    note: (text) => io.note?.(text),
    ...(coverage !== undefined && { coverage }),
    judge: (...args) => {
      if (!helpers) throw new Error('helper agents are not open')
      return helpers.judge(...args)
    },
  })
  try {
    helpers = createHelpers({ project, identity, options, dir })
    const { askFor } = helpers
    const { checkAssertion } = await import('../pipeline/assert/compile.js')
    const work = await openWork({
      input,
      options,
      selection,
      project,
      openSource: async (agent) => {
        const { openSource } = await import('../pipeline/sources/open-source.js')
        return openSource(input, {
          cwd,
          strict: options.strict,
          stdin: io.stdin,
          checkAssertion,
          otherInput: options.simulator !== undefined || options.interactive,
          ...(packageDir(agent) !== undefined && { checkConnector: connectorCheck(project, agent) }),
        })
      },
      generate: (agent) =>
        openGenerated({
          input,
          agent,
          ask: askFor('generate', 1, 1, packageDir(agent)),
          project,
          strict: options.strict,
          // A dry run runs nothing: what a model wrote may be looked at.
          allowActions: options.allow_outside || options.dry_run,
          timeout: options.timeout ?? '5m',
          checkAssertion,
        }),
    })
    if (work.mode === 'agent') for (const warning of work.source.warnings) warn(warning)
    if (interrupted) requireSameInput(work, interrupted, options)
    if (options.reporter !== undefined || options.simulator !== undefined) {
      const { requireReporter, requireSimulator } = await import('./require-helpers.js')
      if (options.reporter !== undefined) await requireReporter(options.reporter, project)
      if (options.simulator !== undefined) await requireSimulator(options.simulator, project, dir)
    }
    return defined({
      options,
      project,
      work,
      identity,
      environment: environmentOf(identity),
      redactor,
      helpers,
      timeout: options.timeout ?? (work.mode === 'script_test' ? '30s' : '5m'),
      interrupted,
      env: io.env,
      warn,
      close: async () => {
        await work.close()
        await project.close()
      },
    }) as Prepared
  } catch (error) {
    await project.close()
    throw error
  }
}

async function coverageFolder({ coverage, dry_run }: RunOptions, cwd: string): Promise<string | undefined> {
  if (!coverage || dry_run) return undefined
  const folder = resolve(cwd, coverage === true ? 'coverage' : coverage)
  const { requireCoverageFolder } = await import('./outputs/coverage-folder.js')
  requireCoverageFolder(folder)
  return folder
}

async function readOptions(read: () => RunOptions): Promise<{ options: RunOptions; selection: Selection }> {
  const options = read()
  checkOptions(options)
  return { options, selection: await selectionOf(options) }
}

function requireInput(options: RunOptions): string {
  if (options.input !== undefined) return options.input
  throw new UserError({
    code: 'NO_INPUT',
    message: 'nothing to run: -i is missing',
    hint: 'give a case file (-i tests/inputs.jsonl), a message (-i "hello"), or script tests (-i scripts.expense.setup)',
  })
}

function requireDir(path: string): string {
  if (existsSync(path)) return path
  throw new UserError({
    code: 'NO_APP',
    message: `--app: no such folder: ${path}`,
    hint: 'give the folder that holds assistants/ or app.yao',
  })
}

function checkOptions(options: RunOptions): void {
  if (options.timeout !== undefined) {
    try {
      parseDuration(options.timeout)
    } catch (error) {
      const reason = messageOf(error)
      throw new UserError({
        code: 'BAD_FLAG',
        message: `--timeout: ${reason}`,
        hint: 'for example: --timeout 30s, 2m, 1h30m, 500ms',
      })
    }
  }
  if (options.interactive && options.skip_interactive) {
    throw new UserError({
      code: 'BAD_FLAG',
      message: '--interactive and --skip-interactive exclude each other',
      hint: 'give one of them',
    })
  }
}

async function readIdentity(options: RunOptions, cwd: string): Promise<Identity> {
  const identity = defined({ user: options.user, team: options.team, locale: options.locale }) as Identity
  if (options.ctx === undefined) return identity
  const { readContextFile } = await import('../pipeline/sources/context-file.js')
  return { ...identity, file: await readContextFile(resolve(cwd, options.ctx)) }
}

async function selectionOf(options: RunOptions): Promise<Selection> {
  const shard = parseShard(options.shard)
  const selection: Selection = { tags: options.tag, ...(shard && { shard }) }
  if (options.run === undefined) return selection
  const { compilePattern } = await import('../base/regex.js')
  try {
    const pattern = compilePattern(options.run)
    return { ...selection, match: (text) => pattern.test(text) }
  } catch (error) {
    const reason = messageOf(error)
    throw new UserError({
      code: 'BAD_FLAG',
      message: `--run: ${reason}`,
      hint: 'a Go or JavaScript regular expression, for example: --run "TestSystem.*"',
    })
  }
}

function recordedCwd(interrupted: Interrupted | undefined): string | undefined {
  const cwd = interrupted?.start.options['cwd']
  return typeof cwd === 'string' && existsSync(cwd) ? cwd : undefined
}

/** What the first part of the run was told, with this call's display and speed. */
function resumedOptions(given: RunOptions, interrupted: Interrupted): RunOptions {
  const { cwd: _cwd, ...recorded } = interrupted.start.options
  if (given.name === undefined && hasPlaceholder(recorded['name'])) throw hiddenOption('-n', interrupted)
  if (given.input === undefined && hasPlaceholder(recorded['input'])) throw hiddenOption('-i', interrupted)
  return {
    ...given,
    ...(recorded as Partial<RunOptions>),
    ...(given.input !== undefined && { input: given.input }),
    ...(given.name !== undefined && { name: given.name }),
    ...(given.parallel !== 1 && { parallel: given.parallel }),
    ...(given.output.length > 0 && { output: given.output }),
    ...(given.timeout !== undefined && { timeout: given.timeout }),
    verbose: given.verbose,
    json: given.json,
    force: given.force,
    resume: interrupted.path,
  }
}

function hasPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && /\[(?:SECRET|API_KEY|JWT|PRIVATE_KEY)\]/.test(value)
}

function hiddenOption(flag: string, { path }: Interrupted): UserError {
  return new UserError({
    code: 'HIDDEN_OPTION',
    message: `what ${flag} was given held a secret, which ${path} does not keep`,
    hint: `give it again: viva test --resume ${path} ${flag} …`,
  })
}

function requireSameInput(work: Work, interrupted: Interrupted, options: RunOptions): void {
  if (work.mode !== 'agent' || options.force) return
  const before = interrupted.start.input_hash
  if (before === undefined || work.source.hash === undefined || before === work.source.hash) return
  throw new UserError({
    code: 'INPUT_CHANGED',
    message: `${work.label} has changed since the run in ${interrupted.path} began`,
    hint: 'run it anew, or go on all the same with --force (finished ids are not run again)',
  })
}

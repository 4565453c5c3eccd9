// `viva diff`: one run with two variants, which are the same agent at two revisions.
import { existsSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { UserError } from '../errors.js'
import { defined } from '../base/defined.js'
import { findAppRoot } from '../files/app-root.js'
import { pathBelow } from '../files/inside.js'
import type { GivenOptions } from '../config/options.js'
import { findExecutable } from '../process/find-executable.js'
import { Processes } from '../process/processes.js'
import type { Repository } from '../revisions/repository.js'
import { runSettings } from '../library/run-tests.js'
import type { RunOutcome } from '../run.js'
import { loadConfig } from '../config/load-config.js'
import { envOf, workingDir, type RunIo } from '../run/io.js'
import { readSettings, requireOneVariant, type AgentHome, type Home, type Settings } from '../run/settings.js'
import { changedCases, describeChanged } from './changed-cases.js'
import { explained, explainedAgent, nearOf } from './explain.js'
import { linkedSecrets } from './linked-secrets.js'
import { requireRule, ruleFor, type DiffOptions } from './options.js'
import { portableTarget, requireEntry, requireProgram } from './require-target.js'
import { openSides, type DiffSide, type Sides } from './sides.js'

export interface DiffIo extends Partial<RunIo> {
  /** Removes both sides immediately, for when there is no time to wait; called again without one when they are gone. */
  onSides?(removeNow: (() => void) | undefined): void
  /** The settings, before the first case: needed to display the run. */
  ready?(settings: Settings): Partial<RunIo> | Promise<Partial<RunIo>>
}

export interface DiffOutcome extends RunOutcome {
  left: string
  right: string
  revisions: Sides['revisions']
  changed_cases?: string
}

export async function runDiff(options: DiffOptions, io: DiffIo, signal: AbortSignal): Promise<DiffOutcome> {
  requireRule(options)
  requireRunOptions(options.run)
  const cwd = workingDir(io)
  const warn = io.warn ?? (() => {})
  const processes = new Processes({ env: envOf(io), cwd, warn })
  io.useProcesses?.(processes)
  let remove: (() => Promise<void>) | undefined
  try {
    const sides = await openSides({
      options,
      processes,
      cwd,
      signal,
      warn,
      note: io.note ?? (() => {}),
      onFolder: (folder) => {
        remove = folder.remove
        io.onSides?.(folder.removeNow)
      },
      check: (repository) => void portableOptions(options.run, repository, cwd),
    })
    return await runSides(sides, options, { ...io, cwd }, signal)
  } finally {
    await processes.close()
    await remove?.()
    io.onSides?.(undefined)
  }
}

async function runSides(sides: Sides, options: DiffOptions, io: DiffIo, signal: AbortSignal): Promise<DiffOutcome> {
  const { left, right, repository, revisions } = sides
  const cwd = workingDir(io)
  try {
    const read = await readRight(portableOptions(options.run, repository, cwd), right, options.run.runs === 'auto')
    const settings = await compared(read, sides, options, io)
    const own = await io.ready?.(settings)
    const outcome = await runSettings(settings, { ...io, ...own }, signal)
    const { changed_cases } = settings.diff ?? {}
    return { ...outcome, left: left.name, right: right.name, revisions, ...defined({ changed_cases }) }
  } catch (error) {
    throw error instanceof UserError ? explained(error, [left, right]) : error
  }
}

/** The options and the cases of the right side. `auto` is not that of `viva test`, which decides case by case. */
async function readRight(given: GivenOptions, right: DiffSide, auto: boolean): Promise<Settings> {
  const own: GivenOptions = auto ? { ...given, runs: 1 } : given
  const first = await readSettings(own, right.cwd).catch((error: unknown) => {
    throw error instanceof UserError && error.code === 'FILE_NOT_FOUND' ? notCommitted(error, right) : error
  })
  // Whatever is above our temporary folders is not the application.
  const isInside = pathBelow(right.root, first.appRoot) !== undefined
  const settings = isInside ? first : await readSettings({ ...own, app: right.cwd }, right.cwd)
  return auto ? { ...settings, options: { ...settings.options, runs: 'auto' } } : settings
}

async function compared(read: Settings, sides: Sides, options: DiffOptions, io: DiffIo): Promise<Settings> {
  const cwd = workingDir(io)
  const { left, right, repository, revisions } = sides
  const [spec, ...others] = read.variants
  if (!spec || others.length > 0) throw severalVariants(read)
  requireComparable(read)
  const home = homeOf(read, right, repository, cwd)
  requireAppInside(repository, home, cwd)
  const leftPlace = await placeAt(left, right, read)
  const rightPlace: AgentHome = { ...foldersOf(read), explain: (error) => explainedAgent(error, right) }
  for (const [side, place] of [
    [left, leftPlace],
    [right, rightPlace],
  ] as const)
    requireOwnCode(spec.target, side, place, repository, envOf(io)['PATH'] ?? '')
  const { config: _own, ...leftFolders } = leftPlace
  const found = await changedCases({ ...read, ...leftFolders }, read, io.warn ?? (() => {}))
  const changed = found.length === 0 ? undefined : describeChanged(found, left.name)
  const variants = [left, right].map(({ name }) => ({ ...spec, name }))
  requireOneVariant(read.options, variants)
  return {
    ...read,
    options: {
      ...read.options,
      gate: 'none',
      variant: [],
    },
    variants,
    places: new Map([
      [left.name, leftPlace],
      [right.name, rightPlace],
    ]),
    home,
    decide: {
      rule: ruleFor(options, read.options),
      fail_on: options.fail_on,
      ...(changed !== undefined && !options.allow_changed_cases && { changed_cases: changed }),
    },
    practical: options.practical,
    diff: { ...revisions, ...defined({ changed_cases: changed }) },
    secrets: linkedSecrets(options.link.map((path) => resolve(cwd, path))),
  }
}

/** What the side runs must be the side's own. */
function requireOwnCode(
  name: string | undefined,
  side: DiffSide,
  place: AgentHome,
  { top }: Repository,
  path: string,
): void {
  const target = requireEntry(name, place.config, side.name, top)
  if (target === undefined) return
  try {
    requireProgram(target, (command) => findExecutable(command, side.cwd, path), top)
  } catch (error) {
    throw error instanceof UserError && error.code === 'COMMAND_NOT_FOUND' ? place.explain(error) : error
  }
}

function foldersOf({ cwd, dir, appRoot, config }: Settings): Omit<AgentHome, 'explain'> {
  return { cwd, dir, appRoot, config }
}

/** The same folders on the other side. */
async function placeAt(left: DiffSide, right: DiffSide, read: Settings): Promise<AgentHome> {
  const across = (path: string): string => join(left.root, pathBelow(right.root, path) ?? '')
  const appRoot = across(read.appRoot)
  const { config } = existsSync(appRoot) ? await loadConfig(appRoot) : { config: {} }
  return {
    cwd: left.cwd,
    dir: across(read.dir),
    appRoot,
    config,
    explain: (error) => explainedAgent(error, left),
  }
}

/** Beside the cases and in the application of the working tree, if it has them. */
function homeOf({ dir, appRoot }: Settings, right: DiffSide, { top }: Repository, cwd: string): Home {
  const own = (path: string): string => {
    const below = pathBelow(right.root, path)
    const here = below === undefined ? path : join(top, below)
    return existsSync(here) ? here : cwd
  }
  return { cwd, dir: own(dir), appRoot: own(appRoot) }
}

/** Paths in the repository apply to both sides; outputs stay where they were meant to be. */
function portableOptions(given: GivenOptions, { top }: Repository, cwd: string): GivenOptions {
  const portable = (path: string | undefined): string | undefined =>
    path !== undefined && isAbsolute(path) && pathBelow(top, path) !== undefined ? relative(cwd, path) || '.' : path
  const { name } = given
  if (Array.isArray(name) && name.length > 1) throw oneAgent('-n')
  const [only] = Array.isArray(name) ? name : [name]
  return {
    ...given,
    ...defined({
      input: Array.isArray(given.input) ? given.input.map((path) => portable(path) ?? path) : portable(given.input),
      app: portable(given.app),
      ctx: portable(given.ctx),
      name: only === undefined ? undefined : portableTarget(only, { top, cwd }),
    }),
  }
}

function requireRunOptions({ connector, fail_fast }: GivenOptions): void {
  if (Array.isArray(connector) && connector.length > 1) throw oneAgent('-c')
  if (fail_fast === true) throw noFailFast('--fail-fast')
}

function requireComparable({ options, input }: Settings): void {
  if (options.fail_fast) throw noFailFast('defaults.fail_fast in the configuration')
  const cassette = (['record', 'replay', 'cache'] as const).find((key) => options[key] !== undefined)
  if (cassette !== undefined) throw noCassette(cassette)
  if (input.kind === 'file' || input.kind === 'stdin') return
  throw new UserError({
    code: 'NO_CASE_FILE',
    subject: { flag: '-i' },
    message: 'a diff needs the cases of a file, which say what is right',
    hint: 'give one: viva diff main..HEAD -i tests/inputs.jsonl; generated cases can be written to a file with viva test --dry-run -o',
  })
}

/** An application around the repository is not checked out with it. */
function requireAppInside({ top }: Repository, home: { dir: string }, cwd: string): void {
  const real = findAppRoot(home.dir, cwd)
  if (pathBelow(top, real) !== undefined) return
  throw new UserError({
    code: 'APP_OUTSIDE',
    message: `the application root ${real} is outside the repository ${top}, which is all that a diff checks out`,
    hint: 'name a folder in the repository with --app',
  })
}

function notCommitted(error: UserError, { name, revision }: DiffSide): UserError {
  const hint = revision.working_tree
    ? error.hint
    : `${nearOf(error.hint)}the cases are those of ${name}: commit the file there, or compare with --worktree`
  return error.as({ message: error.reason, hint })
}

function severalVariants({ variants }: Settings): UserError {
  return new UserError({
    code: 'ONE_VARIANT',
    message: `a diff compares two revisions of one agent, but the configuration has ${variants.length} variants: ${variants.map(({ name }) => name).join(', ')}`,
    hint: 'pick one with --variant NAME, or name the agent with -n',
  })
}

function oneAgent(flag: string): UserError {
  return new UserError({
    code: 'ONE_VARIANT',
    subject: { flag },
    message: 'a diff compares two revisions of one agent, but several are given',
    hint: `give ${flag} once; several agents or models are compared with viva test`,
  })
}

/** Only the configuration can ask for it: there is no such flag. */
function noCassette(key: string): UserError {
  return new UserError({
    code: 'BAD_CONFIG',
    message: `defaults.${key} in the configuration cannot be used with diff: both sides are asked again in every run`,
    hint: 'leave it out of the defaults, and give the flag to viva test',
  })
}

function noFailFast(where: string): UserError {
  return new UserError({
    code: 'BAD_FLAG',
    message: `${where} cannot be used with diff: the side that fails first would have fewer results than the other`,
    hint: 'leave it out; --runs auto ends as soon as enough is known, --max-cost ends both sides after the same case',
  })
}

// `--setup "npm ci && npm run build"`: run on each side. Installing packages depends only on lock files and package.json,
// so its result is cached by them; everything after it depends on the sources too and is run every time.
import { createHash } from 'node:crypto'
import { constants, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm, utimes } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { UserError } from '../errors.js'
import { isRecord } from '../base/record.js'
import { isFolder } from '../files/stat.js'
import type { Processes } from '../process/processes.js'
import { runProcess } from '../process/run-process.js'
import { dateNow } from '../time/iso-now.js'
import type { Git } from './git.js'
import { lastLines } from './last-lines.js'
import { LOCK_FILES, packageFolders, readBytes, readManifest } from './package-files.js'
import type { Side } from './share-packages.js'

export interface SetUp {
  git: Git
  processes: Processes
  signal: AbortSignal
  command: string
  side: Side
  /** Where on the side to run it. */
  cwd: string
  /** Variables it may see in addition to the usual ones. */
  passEnv: readonly string[]
  /** Where installed packages are kept. */
  cache: string
  note(text: string): void
}

export async function setUp(init: SetUp): Promise<void> {
  const { command, side, cwd, note } = init
  const { install, rest } = splitInstall(command)
  const folders = await packageFolders(init.git, side.root)
  const key = install === '' ? undefined : keyOf(install, cwd.slice(side.root.length), side.root, folders)
  if (key === undefined) return runStep(init, command)
  const kept = join(init.cache, key)
  if (isFolder(kept)) {
    note(`${side.name}: packages as installed before, by lock file`)
    await cp(kept, side.root, COPY)
    await utimes(kept, dateNow(), dateNow())
  } else {
    await runStep(init, install)
    await keep(init.cache, key, side.root, folders)
  }
  if (rest !== '') await runStep(init, rest)
}

const INSTALL = /^(?:npm (?:ci|i|install)|pnpm (?:i|install)|yarn(?: install)?|bun (?:i|install))(?: --?[\w=-]+)*$/

/** The steps at the beginning that install packages, and the rest. */
export function splitInstall(command: string): { install: string; rest: string } {
  const steps = command.split('&&').map((step) => step.trim())
  const first = steps.findIndex((step) => !INSTALL.test(step))
  const count = first < 0 ? steps.length : first
  return { install: steps.slice(0, count).join(' && '), rest: steps.slice(count).join(' && ') }
}

/** Undefined if an installation runs code of the repository, or nothing says what it installs. */
function keyOf(install: string, cwd: string, root: string, folders: readonly string[]): string | undefined {
  const hash = createHash('sha256').update(JSON.stringify([1, install, cwd, process.version, process.arch]))
  let locks = 0
  for (const folder of new Set(['', ...folders])) {
    const { scripts } = readManifest(root, folder) ?? {}
    if (isRecord(scripts) && LIFECYCLE.some((name) => Object.hasOwn(scripts, name))) return undefined
    for (const name of [...Object.keys(LOCK_FILES), ...ALSO]) {
      const bytes = readBytes(join(root, folder, name))
      if (!bytes) continue
      if (Object.hasOwn(LOCK_FILES, name)) locks++
      hash.update(`\0${join(folder, name)}\0${bytes.length}\0`).update(bytes)
    }
  }
  return locks === 0 ? undefined : hash.digest('hex').slice(0, 32)
}

const LIFECYCLE = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']
const ALSO = ['package.json', '.npmrc', '.yarnrc', '.yarnrc.yml', 'pnpm-workspace.yaml', '.pnpmfile.cjs', 'bunfig.toml']
// A copy that costs nothing where the file system can do that.
const COPY = { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE }
const KEPT = 4

async function keep(cache: string, key: string, root: string, folders: readonly string[]): Promise<void> {
  const modules = folders.map((folder) => join(folder, 'node_modules')).filter((path) => isFolder(join(root, path)))
  if (modules.length === 0 || modules.some((path) => leadsOut(join(root, path)))) return
  await mkdir(cache, { recursive: true })
  const temporary = await mkdtemp(join(cache, '.new-'))
  try {
    for (const path of modules) await cp(join(root, path), join(temporary, path), COPY)
    await rename(temporary, join(cache, key))
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    // Another diff may have been faster, and a full disk is no reason to stop: it is installed.
    if (!isFolder(join(cache, key)) && (error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
  const old = readdirSync(cache)
    .filter((name) => /^[0-9a-f]{32}$/.test(name))
    .map((name) => ({ path: join(cache, name), used: statSync(join(cache, name)).mtimeMs }))
    .toSorted((one, other) => other.used - one.used)
  for (const { path } of old.slice(KEPT)) await rm(path, { recursive: true, force: true })
}

/** An absolute link would lead back to the side it was created on. */
function leadsOut(folder: string): boolean {
  return readdirSync(folder).some((name) => {
    const path = join(folder, name)
    const found = lstatSync(path)
    if (found.isSymbolicLink()) return isAbsolute(readlinkSync(path))
    return found.isDirectory() && (name.startsWith('@') || name === '.bin') && leadsOut(path)
  })
}

async function runStep({ processes, signal, side, cwd, passEnv, note }: SetUp, command: string): Promise<void> {
  note(`${side.name}: ${command}`)
  const result = await runProcess(processes, {
    command: 'sh',
    args: ['-c', command],
    cwd,
    signal,
    passEnv: [...Object.keys(processes.env).filter((name) => FOR_INSTALLERS.test(name)), ...passEnv],
    // Unlike an agent, a build may ask which commit it builds.
    env: { GIT_CEILING_DIRECTORIES: '' },
  })
  signal.throwIfAborted()
  if (result.exit_code === 0) return
  throw new UserError({
    code: 'SETUP_FAILED',
    subject: { flag: '--setup' },
    message: `"${command}" failed at ${side.name} (${result.signal ?? `exit code ${result.exit_code}`}): ${lastLines(`${result.stdout}\n${result.stderr}`, 10)}`,
    hint: 'it must work in a fresh checkout of both revisions; variables it needs are named with --pass-env',
  })
}

/** Where packages come from and how; keys for private ones are named with --pass-env. */
const FOR_INSTALLERS =
  /^(?:npm_config_(?!.*(?:auth|token|pass))\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|(?:https?|all|no)_proxy|CI|COREPACK_\w+|XDG_\w+|NODE_ENV)$/i

// What the cases of a run depend on: which files, and which cases they belong to.
import { existsSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { compileGlob } from '../../base/glob.js'
import { findAgentDir, findUpward } from '../../agents/resolve-id.js'
import { packageFolder } from '../../agents/resolve-target.js'
import { CONFIG_NAMES } from '../../files/app-root.js'
import { pathBelow, realPathOf } from '../../files/inside.js'
import { isFile, isFolder } from '../../files/stat.js'
import type { TestCase } from '../../model/case.js'
import { isCaseFile } from '../../pipeline/sources/case-files.js'
import { splitCommand } from '../../process/split-command.js'
import type { Settings } from '../../run/settings.js'
import { caseReferences } from './case-references.js'
import { filesBelow } from './file-tree.js'
import { isCode, moduleInputs, type ModuleInputs } from './module-inputs.js'

/** `all`: every case; a set: the cases of these ids. */
export type Owner = 'all' | Set<string>

export interface Dependencies {
  /** Files with the cases they belong to. */
  owners: Map<string, Owner>
  /** Files that hold the cases themselves. */
  caseFiles: Set<string>
  /** Where something that matters may happen. */
  folders: Set<string>
  /** What exists now, including what did not when the owners were found. */
  files(): Set<string>
}

export interface WatchedCase {
  testCase: TestCase
  /** The folder of the file it is in. */
  dir: string
}

export interface ScriptTests {
  path: string
  ids: string[]
}

export interface DependenciesInit {
  settings: Settings
  cases: readonly WatchedCase[]
  scripts: readonly ScriptTests[]
}

export async function findDependencies({ settings, cases, scripts }: DependenciesInit): Promise<Dependencies> {
  const { appRoot, cwd, input, options, config, variants, dir } = settings
  const found = new Found()
  found.add(CONFIG_NAMES.map((name) => join(appRoot, name)).filter(existsSync), 'all')
  for (const path of [options.ctx, options.replay]) if (path !== undefined) found.addPath(resolve(cwd, path), 'all')
  for (const { target } of variants) addAgent(found, target, settings)
  const hooks = [options.before, options.after, options.simulator].filter((ref) => ref !== undefined)
  for (const ref of hooks) for (const file of await caseReferences(ref, settings, dir)) found.addPath(file, 'all')
  for (const { testCase, dir: from } of cases) {
    for (const path of await caseReferences(testCase, settings, from)) found.addPath(path, new Set([testCase.id]))
  }
  for (const { path, ids } of scripts) found.add([path], new Set(ids))
  for (const glob of config.watch ?? []) addGlob(found, glob, appRoot)
  // What a case module imports is read again with it; the cases that then read differently run.
  const caseFiles = input.files.map((file) => resolve(cwd, file))
  for (const file of caseFiles) found.add([file], new Set())
  await found.followImports()
  const isPlainFile = input.files.length === 1 && isFile(resolve(cwd, input.value))
  if (input.kind === 'file' && !isPlainFile) found.addFolder(dir, (path) => isCaseFile(path), new Set())
  const { owners, folders } = found
  return { owners, caseFiles: new Set(caseFiles), folders, files: () => found.files() }
}

class Found {
  readonly owners = new Map<string, Owner>()
  readonly folders = new Set<string>()
  /** What is in a relevant folder, and nothing more precise is known about. */
  readonly #unknown = new Set<string>()
  readonly #trees: Array<() => string[]> = []

  add(files: Iterable<string>, owner: Owner): void {
    for (const file of files) {
      const known = this.owners.get(file)
      if (known === 'all' || owner === 'all') this.owners.set(file, 'all')
      else this.owners.set(file, new Set([...(known ?? []), ...owner]))
      this.folders.add(dirname(file))
      // Editing a link's target edits the link.
      const real = realOf(file)
      if (real !== file) this.folders.add(dirname(real))
    }
  }

  addPath(path: string, owner: Owner): void {
    if (!isFolder(path)) return this.add([path], owner)
    this.addFolder(path, () => true, owner)
  }

  addFolder(root: string, accepts: (path: string) => boolean, owner: Owner, skips: string[] = []): void {
    const { files, folders } = filesBelow(root, skips)
    this.add(files.filter(accepts), owner)
    for (const folder of folders) this.folders.add(folder)
    this.#trees.push(() => filesBelow(root, skips).files.filter(accepts))
  }

  files(): Set<string> {
    return new Set([...this.owners.keys(), ...this.#trees.flatMap((list) => list())])
  }

  /** Everything in it counts, unless it is known to belong to some cases only. */
  addUnknown(root: string): void {
    const { files, folders } = filesBelow(root, ['tests'])
    for (const file of files) this.#unknown.add(file)
    for (const folder of folders) this.folders.add(folder)
    this.#trees.push(() => filesBelow(root, ['tests']).files)
  }

  async followImports(): Promise<void> {
    for (const [file, inputs] of await moduleInputs([...this.owners.keys()]))
      this.#addInputs(file, inputs, this.owners.get(file) ?? 'all')
    const others = [...this.#unknown].filter((file) => !this.owners.has(file))
    for (const [file, inputs] of await moduleInputs(others)) this.#addInputs(file, inputs, 'all')
  }

  /** What a broken file imports may be any code beside it, even code that does not exist yet. */
  #addInputs(file: string, { files, isBroken }: ModuleInputs, owner: Owner): void {
    this.add(files, owner)
    if (isBroken) this.addFolder(dirname(file), isCode, owner)
  }
}

/** The agent under test, as far as its files are known. Endpoints have none. */
function addAgent(found: Found, target: string | undefined, { appRoot, cwd, dir, config, input }: Settings): void {
  if (input.kind === 'script_test') return
  const entry = target === undefined ? undefined : config.agents?.[target]
  const meant = typeof entry === 'string' ? entry : (entry?.target ?? target)
  const from = entry === undefined ? cwd : appRoot
  if (meant === undefined) return addPackage(found, findUpward(dir).found, appRoot)
  const program = /^(?:exec|acp|mcp):(.*)$/is.exec(meant)
  if (program) return addProgram(found, program[1] ?? '', from)
  const file = /^(?:recorded|orchestrator):(.*)$/is.exec(meant)
  if (file) return found.addPath(resolve(from, file[1] ?? ''), 'all')
  if (/^(?:https?|a2a|builtin):/i.test(meant)) return
  const folder = packageFolder(meant, from) ?? findAgentDir(appRoot, meant.replace(/^assistants\./, ''))
  if (folder !== undefined) return addPackage(found, folder, appRoot)
  found.add([resolve(from, meant.replace(/#[\w$]*$/, ''))], 'all')
}

/** Application folders from which packages take what they need. */
const SHARED = ['assistants', 'connectors', 'scripts', 'mcps', 'models']

function addPackage(found: Found, folder: string | undefined, appRoot: string): void {
  if (folder === undefined) return
  for (const root of [folder, ...SHARED.map((name) => join(appRoot, name))]) if (isFolder(root)) found.addUnknown(root)
}

/** The files that the command names, and files of the same kind in their folders: what they import is not known. */
function addProgram(found: Found, command: string, cwd: string): void {
  for (const word of splitCommand(command)) {
    const path = resolve(cwd, word)
    if (word === '' || !isFile(path) || pathBelow(cwd, path) === undefined) continue
    found.add([path], 'all')
    const kind = extname(path)
    if (kind !== '') found.addFolder(dirname(path), (file) => extname(file) === kind, 'all')
  }
}

function addGlob(found: Found, glob: string, appRoot: string): void {
  const clean = glob.replace(/^(?:\.\/)+/, '')
  const matches = compileGlob(clean)
  const [fixed = ''] = clean.split(/[*?[{]/, 1)
  const start = resolve(appRoot, fixed.slice(0, fixed.lastIndexOf('/') + 1))
  const isMatch = (file: string): boolean => matches((pathBelow(appRoot, file) ?? '').replaceAll('\\', '/'))
  if (isFile(resolve(appRoot, clean))) found.add([resolve(appRoot, clean)], 'all')
  else if (isFolder(start)) found.addFolder(start, isMatch, 'all')
}

function realOf(file: string): string {
  try {
    return realPathOf(file)
  } catch {
    return file
  }
}

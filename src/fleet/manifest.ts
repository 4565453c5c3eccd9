// The files a run depends on, by the hash of their content: what workers must have as well.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { parentOf } from '../files/inside.js'
import { CONFIG_NAMES } from '../files/app-root.js'
import { isForeign, sortedEntries } from '../files/entries.js'
import { isStandardOutput } from '../files/standard-output.js'
import { plural } from '../base/format.js'
import { pathProblem } from '../base/relative-path.js'
import { UserError } from '../errors.js'

export interface ManifestInit {
  root: string
  /** The application root, below `root`. */
  app: string
  /** Further files, below `root`. What is beside agents belongs to them as well. */
  also: string[]
  agents: string[]
  /** What the run itself writes, below `root`. */
  except: ReadonlySet<string>
}

const MAX_FILES = 20_000
const MAX_FILE_BYTES = 64 * 1024 * 1024
/** What runs leave behind. */
const LEFT_OVER = /^(?:coverage|tmp|lcov\.info)$|\.(?:log|journal|bodies|snap\.new)$|\.(?:jsonl?|ya?ml)\.lock$/
/** How event files, recordings and reports of Viva begin. */
const OUTPUT =
  /^\{"type":"start"|^\{"resourceSpans"|^# cassette: |^# Agent Test Report|^TAP version|^File +Lines +Functions|^[─═]{20}|^viva · |^worker \S+: \d+ units at a time|^\{\s*"reportFormat": "CTRF"|^\{\s*"summary": \{\s*"total"|^<\?xml[^>]*>\s*<testsuites name="viva"|^<!doctype html>[^]*<meta name="generator" content="viva">/
const PRINTED_NAME = /\.(?:txt|out|err)$/
const OUTPUT_NAME = /\.(?:jsonl|json|md|tap|txt|out|err|xml|html|ya?ml)$/
const HEAD_BYTES = 1500

/** Path → hash, sorted by path. */
export function readManifest({ root, app, also, agents, except }: ManifestInit): Record<string, string> {
  const paths = new Set<string>()
  walk(root, app, paths, except)
  // Outside the application, or in a folder that is left out: its neighbours are part of it.
  for (const agent of agents) if (!paths.has(agent)) walk(root, parentOf(agent), paths, except)
  for (const path of [...also, ...agents]) paths.add(path)
  const all = [...paths].filter((path) => !except.has(path)).toSorted()
  return Object.fromEntries(all.map((path) => [path, hashOfFile(join(root, path))]))
}

/** What differs between what is wanted and what is below `root`, one line each. */
export function differences(wanted: Record<string, string>, root: string): string[] {
  return Object.entries(wanted).flatMap(([path, hash]) => {
    if (pathProblem(path) !== undefined) return [`${path}: leads outside`]
    try {
      return hashOfFile(join(root, path)) === hash ? [] : [`${path} differs`]
    } catch {
      return [`${path} is missing`]
    }
  })
}

/** What is below `root`, is not wanted, and would still be found: agents' files, settings, snapshots. One line each. */
export function additions({ files, app, except }: Wanted, root: string): string[] {
  const found = new Set<string>()
  walk(root, app, found, new Set(except))
  const below = app === '' ? '' : `${app}/`
  const folders = [`${below}assistants`, `${below}connectors`, ...Object.keys(files).filter(isPackage).map(parentOf)]
  const isFound = (path: string): boolean =>
    CONFIG_NAMES.includes(basename(path)) ||
    basename(path) === 'app.yao' ||
    path.endsWith('.snap') ||
    folders.some((folder) => folder !== '' && path.startsWith(`${folder}/`))
  return [...found].filter((path) => !Object.hasOwn(files, path) && isFound(path)).map((path) => `${path} is only here`)
}

export interface Wanted {
  files: Record<string, string>
  app: string
  except: string[]
}

function isPackage(path: string): boolean {
  return basename(path) === 'package.yao'
}

export function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

export function hashOfFile(path: string): string {
  return hashOf(readFileSync(path))
}

function walk(root: string, folder: string, paths: Set<string>, except: ReadonlySet<string>): void {
  for (const entry of sortedEntries(join(root, folder))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (isForeign(entry.name) || LEFT_OVER.test(entry.name) || except.has(path)) continue
    // What a link leads to is what agents get.
    const kind = entry.isSymbolicLink() ? linked(join(root, path)) : entry
    if (kind?.isDirectory()) walk(root, path, paths, except)
    else if (kind?.isFile() && isKept(join(root, path))) paths.add(path)
    if (paths.size > MAX_FILES) throw tooMany(join(root, folder))
  }
}

/** Undefined if it leads nowhere, or back to where it is. */
function linked(path: string): ReturnType<typeof statSync> | undefined {
  try {
    const target = realpathSync(path)
    return `${realpathSync(dirname(path))}${sep}`.startsWith(`${target}${sep}`) ? undefined : statSync(target)
  } catch {
    return undefined
  }
}

function isKept(path: string): boolean {
  const stat = statSync(path)
  if (stat.size > MAX_FILE_BYTES || isStandardOutput(stat)) return false
  // `… | tee out.txt` has made it, and nothing depends on what it holds.
  if (stat.size === 0 && PRINTED_NAME.test(path)) return false
  return !(OUTPUT_NAME.test(path) && OUTPUT.test(headOf(path)))
}

function headOf(path: string): string {
  const fd = openSync(path, 'r')
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    return head.toString('utf8', 0, readSync(fd, head, 0, HEAD_BYTES, 0))
  } finally {
    closeSync(fd)
  }
}

function tooMany(folder: string): UserError {
  return new UserError({
    code: 'TOO_MANY_FILES',
    message: `more than ${plural(MAX_FILES, 'file')} below the application root, last in ${folder}: too many to compare with every worker`,
    hint: 'name a smaller folder with --app, or move what no case needs out of it',
  })
}

// The files a run depends on, by the hash of their content: what workers must have as well.
import { createHash } from 'node:crypto'
import { closeSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { isForeign, sortedEntries } from '../files/entries.js'
import { plural } from '../base/format.js'
import { pathProblem } from '../base/relative-path.js'
import { UserError } from '../errors.js'

export interface ManifestInit {
  root: string
  /** The application root, below `root`. */
  app: string
  /** Further files, below `root`. */
  also: string[]
  /** What the run itself writes, below `root`. */
  except: ReadonlySet<string>
}

const MAX_FILES = 20_000
const MAX_FILE_BYTES = 64 * 1024 * 1024
/** What runs leave behind, and what is made from the sources. */
const LEFT_OVER = /^(?:coverage|dist|tmp)$|\.(?:log|lock|journal|bodies|snap\.new)$/
/** How event files, recordings and reports of Viva begin. */
const OUTPUT =
  /^\{"type":"start"|^# cassette: |^# Agent Test Report|^TAP version|^─{20}|^\{\s*"reportFormat": "CTRF"|^\{\s*"summary": \{\s*"total"|^<\?xml[^>]*>\s*<testsuites name="viva"|^<!doctype html>[^]*<meta name="generator" content="viva">/
const OUTPUT_NAME = /\.(?:jsonl|json|md|tap|txt|xml|html|ya?ml)$/
const HEAD_BYTES = 1500

/** Path → hash, in order of the paths. */
export function readManifest({ root, app, also, except }: ManifestInit): Record<string, string> {
  const paths: string[] = []
  walk(root, app, paths, except)
  const all = [...new Set([...paths, ...also])].filter((path) => !except.has(path)).toSorted()
  return Object.fromEntries(all.map((path) => [path, hashOfFile(join(root, path))]))
}

/** What differs between what is wanted and what is below `root`, a line each. */
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

export function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

function hashOfFile(path: string): string {
  return hashOf(readFileSync(path))
}

function walk(root: string, folder: string, paths: string[], except: ReadonlySet<string>): void {
  for (const entry of sortedEntries(join(root, folder))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (isForeign(entry.name) || LEFT_OVER.test(entry.name) || except.has(path)) continue
    if (entry.isDirectory()) walk(root, path, paths, except)
    else if (entry.isFile() && isKept(join(root, path))) paths.push(path)
    if (paths.length > MAX_FILES) throw tooMany(join(root, folder))
  }
}

function isKept(path: string): boolean {
  if (lstatSync(path).size > MAX_FILE_BYTES) return false
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

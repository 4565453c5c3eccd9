// The case files that a folder or a glob refers to, sorted by path.
import { closeSync, openSync, readSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UserError } from '../../errors.js'
import { compileGlob, type Matches } from '../../base/glob.js'
import { messageOf } from '../../base/message-of.js'
import { CONFIG_NAMES } from '../../files/app-root.js'
import { isForeign, sortedEntries } from '../../files/entries.js'
import { isFile, isFolder } from '../../files/stat.js'

const CASE_FILE = /\.(?:jsonl|json|yaml|yml|csv)$/i
const EVENT_FILE = /^output-\d{14}(?:-\d+)?\.jsonl$/
/** Project files that have such an extension and never hold cases. */
const NOT_CASES = new Set(['package.json', 'package-lock.json', ...CONFIG_NAMES])
const TSCONFIG = /^tsconfig\b.*\.json$/
const MOST_FILES = 10_000
const MAX_DEPTH = 32

/** Does the extension say that it holds cases? */
export function isCaseFile(name: string): boolean {
  return CASE_FILE.test(name) && !EVENT_FILE.test(name)
}

/** Every case file below it. In an agent package only `tests/`: the rest is the agent's own. */
export function filesInFolder(folder: string, cwd: string): string[] {
  const found = walk(folder, cwd, (path, name) => isCaseFile(name) && !isOther(name) && !isRun(resolve(cwd, path)))
  if (found.length > 0) return found
  throw new UserError({
    code: 'NO_CASE_FILES',
    message: `no case file in ${folder}`,
    hint: 'a case file ends in .jsonl, .json, .yaml, .yml or .csv; event files of runs do not count',
  })
}

export function filesOfGlob(glob: string, cwd: string): string[] {
  const matches = compiled(glob)
  const found = walk(
    fixedPart(glob),
    cwd,
    (path, name) => matches(path) && !EVENT_FILE.test(name) && !isRun(resolve(cwd, path)),
    true,
  )
  if (found.length > 0) return found
  throw new UserError({
    code: 'FILE_NOT_FOUND',
    message: `no file matches ${glob} (looked in ${resolve(cwd, fixedPart(glob))})`,
    hint: 'for example: -i "tests/**/*.jsonl"; "*" stays within one folder, "**/" goes through all of them',
  })
}

/** A wildcard that can only be meant as one: "why?" and "2*3" are messages. */
export function isGlob(text: string, cwd: string): boolean {
  if (!/[*?[{]/.test(text) || /\s/.test(text) || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return false
  if (CASE_FILE.test(text)) return true
  const start = fixedPart(text)
  return start !== '' && /\*/.test(text) && isFolder(resolve(cwd, start))
}

function compiled(glob: string): Matches {
  try {
    return compileGlob(glob.replace(/^(?:\.\/)+/, ''))
  } catch (error) {
    throw new UserError({ code: 'BAD_GLOB', subject: { flag: '-i' }, message: `${glob}: ${messageOf(error)}` })
  }
}

/** The folders before the first wildcard. */
function fixedPart(glob: string): string {
  const [before = ''] = glob.replace(/^(?:\.\/)+/, '').split(/[*?[{]/, 1)
  return before.slice(0, before.lastIndexOf('/') + 1)
}

type IsWanted = (path: string, name: string) => boolean

function walk(start: string, cwd: string, isWanted: IsWanted, everywhere = false): string[] {
  const found: string[] = []
  const visit = (folder: string, depth: number): void => {
    const entries = sortedEntries(resolve(cwd, folder))
    const isPackage = !everywhere && entries.some(({ name }) => name === 'package.yao')
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (isForeign(entry.name) || depth >= MAX_DEPTH || (isPackage && isAgentsOwn(entry.name))) continue
        visit(path, depth + 1)
      } else if (!isPackage && isWanted(slashed(path), entry.name) && isFile(resolve(cwd, path))) found.push(path)
      if (found.length > MOST_FILES) throw tooMany(start)
    }
  }
  visit(start, 0)
  return found
}

/** Folders of an agent package that hold no cases. Others may hold further packages. */
function isAgentsOwn(name: string): boolean {
  return ['src', 'mcps', 'prompts', 'locales', 'assets', 'connectors', 'dist'].includes(name)
}

function isOther(name: string): boolean {
  return NOT_CASES.has(name) || TSCONFIG.test(name)
}

/** What a run wrote, under whatever name, is not what the next one reads. */
function isRun(path: string): boolean {
  if (!/\.(?:jsonl|ya?ml)$/i.test(path)) return false
  const start = startOf(path)
  if (/\.jsonl$/i.test(path)) return /^\s*\{"type":"start"/.test(start) && start.includes('"run_id"')
  return /^interactions:/m.test(start)
}

const SNIFFED = 4096

function startOf(path: string): string {
  let fd: number | undefined
  try {
    fd = openSync(path, 'r')
    const buffer = Buffer.alloc(SNIFFED)
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, SNIFFED, 0))
  } catch {
    // Opening it to read the cases will report why it cannot be read.
    return ''
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

function tooMany(start: string): UserError {
  return new UserError({
    code: 'TOO_MANY_FILES',
    message: `more than ${MOST_FILES} case files in ${start === '' ? '.' : start}`,
    hint: 'name a smaller folder, or a glob',
  })
}

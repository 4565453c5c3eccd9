// `-i` names a file that is not there, or a folder: the error, with the file that was probably meant.
import { basename, dirname, extname, join, resolve } from 'node:path'
import { namesIn } from '../../files/entries.js'
import { UserError } from '../../errors.js'
import { editDistance } from '../../base/edit-distance.js'
import { suggest } from '../../base/suggest.js'
import { isFolder } from '../../files/stat.js'
import { listed } from '../../base/text.js'
import { isCaseFile } from './case-files.js'

const CASE_FILE = /\.(?:jsonl|json|yaml|yml)$/i
/** Extensions that a sentence may end in as well: "explain main.ts". */
const OTHER_FILE = /\.(?:ndjson|csv|ts)$/i
const ENDINGS = ['.jsonl', '.ndjson', '.json', '.yaml', '.yml', '.csv']
/** One slip away from a case file's extension, but extensions in their own right. */
const OTHER_ENDINGS = new Set(['.xml', '.ml'])
const URL_LIKE = /^(?!file:)[a-z][a-z0-9+.-]*:\/\//i

/** Was this meant as a path? Sentences, URLs, "km/h" and "node.js" were not. */
export function isPathLike(input: string, cwd: string): boolean {
  const text = input.trim()
  if (URL_LIKE.test(text)) return false
  if (CASE_FILE.test(text)) return true
  if (/\s/.test(text)) return false
  return OTHER_FILE.test(text) || hasNearEnding(text) || isInFolder(text, cwd)
}

export function emptyInput(): UserError {
  return new UserError({
    code: 'EMPTY_INPUT',
    message: '-i is empty: there is nothing to run',
    hint: 'give a case file (-i tests/inputs.jsonl) or a message (-i "hello"); is a shell variable unset?',
  })
}

export function missingFile(path: string, cwd: string): UserError {
  const full = resolve(cwd, path.trim())
  return new UserError({
    code: 'FILE_NOT_FOUND',
    message: `file not found: ${path} (looked for ${full})`,
    hint: withMessage(whatIsThere(path.trim(), full)),
  })
}

const AS_MESSAGE = `to send it as a message, write a case: echo '{"id": "T001", "input": "…"}' | viva test -i -`

function withMessage(hint: string): string {
  return hint.endsWith('?') ? `${hint} Or, ${AS_MESSAGE}` : `${hint}; ${AS_MESSAGE}`
}

function whatIsThere(path: string, full: string): string {
  const folder = dirname(full)
  if (!isFolder(folder)) return otherFolder(path, folder)
  const there = caseFiles(folder)
  const near = nearest(basename(full), there)
  if (near !== undefined) return `did you mean ${join(dirname(path), near)}?`
  return there.length > 0 ? `case files in ${folder}: ${listed(there, 8)}` : `there is no case file in ${folder}`
}

function otherFolder(path: string, folder: string): string {
  const near = suggest(basename(folder), foldersIn(dirname(folder)))
  if (near === undefined) return `there is no folder ${folder}`
  const file = nearest(basename(path), caseFiles(join(dirname(folder), near)))
  const meant = join(dirname(dirname(path)), near, file ?? '')
  return `there is no folder ${folder}; did you mean ${meant}?`
}

/** The same name with another extension, else the nearest by spelling. */
function nearest(name: string, files: string[]): string | undefined {
  const stem = stemOf(name)
  const nearStem = suggest(stem, files.map(stemOf))
  return (
    files.find((file) => stemOf(file) === stem) ??
    suggest(name, files) ??
    files.find((file) => stemOf(file) === nearStem)
  )
}

function stemOf(name: string): string {
  return basename(name, extname(name))
}

function hasNearEnding(text: string): boolean {
  const ending = extname(text).toLowerCase()
  if (ending.length < 3 || OTHER_ENDINGS.has(ending)) return false
  return ENDINGS.some((known) => editDistance(ending, known) <= 1)
}

/** Below a folder that exists. `/help` is what people say to a bot, so the file system root does not count. */
function isInFolder(text: string, cwd: string): boolean {
  const folder = dirname(text.replaceAll('\\', '/'))
  const isBare = !/[\\/]/.test(text)
  return !isBare && folder !== '/' && isFolder(resolve(cwd, folder))
}

function caseFiles(folder: string): string[] {
  return namesIn(folder).toSorted().filter(isCaseFile)
}

function foldersIn(folder: string): string[] {
  return namesIn(folder)
    .toSorted()
    .filter((name) => isFolder(join(folder, name)))
}

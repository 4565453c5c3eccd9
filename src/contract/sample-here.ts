// Values for arguments that name something in the folder that a server works in.
import { join } from 'node:path'
import { readString } from '../base/record.js'
import type { Listed } from '../model/contract.js'
import { wordsOf, type Sample } from '../json-schema/values/sample.js'

export function sampleFor({ name, description }: Listed, cwd: string | undefined): Sample {
  return sampleIn(cwd, wordsOf(readString(name) ?? '').join(' '), readString(description))
}

/** `cwd`: undefined for a server that is elsewhere. `about`: what the tool says about itself. */
export function sampleIn(cwd: string | undefined, toolName = '', about = ''): Sample {
  const isNotes = /\b(?:markdown|notes?|vault|wiki)\b/i.test(`${toolName} ${about}`)
  return ({ name, description = '' }) => {
    const words = wordsOf(name)
    const has = (...any: string[]) => any.some((word) => words.includes(word))
    if (has('uri', 'url')) return []
    const file = isNotes || /markdown|\.md\b/i.test(`${name} ${description}`) ? 'example.md' : 'example.txt'
    const isNew =
      has('destination', 'dest', 'output') || (has('new', 'to', 'target') && has('path', 'file', 'filename'))
    const isPlace = has(...FOLDERS, ...FILES)
    if (isNew) return places(['new-example.txt', 'folder/new-example.txt'], cwd, description)
    if (!isPlace) return []
    const isFolder = has(...FOLDERS) || (!has(...FILES_ONLY) && speaksOfFolders(`${toolName} ${description}`))
    return places(isFolder ? ['.', 'folder', file] : [file, '.'], cwd, description)
  }
}

const FOLDERS = ['dir', 'dirs', 'directory', 'folder', 'cwd', 'root', 'workspace', 'repo', 'repository', 'worktree']
const FILES_ONLY = ['file', 'files', 'filename', 'filepath', 'filenames', 'document', 'note']
const FILES = [...FILES_ONLY, 'path', 'paths', 'source']

function speaksOfFolders(text: string): boolean {
  return (
    /\b(?:director(?:y|ies)|folders?|repository|repo|git)\b/i.test(text) && !/\b(?:a|the|single) file\b/i.test(text)
  )
}

/** Relative first, unless only an absolute path will do; then the others. */
function places(paths: string[], cwd: string | undefined, description: string): string[] {
  if (cwd === undefined) return paths
  const absolute = paths.map((path) => join(cwd, path))
  const [first = '', ...rest] = paths
  const [firstAbsolute = '', ...restAbsolute] = absolute
  return /\babsolute\b|full path/i.test(description)
    ? [firstAbsolute, first, ...restAbsolute, ...rest]
    : [first, firstAbsolute, ...rest, ...restAbsolute]
}

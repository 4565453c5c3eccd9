// Values for arguments that name something in the folder that a server works in.
import { join } from 'node:path'
import { wordsOf, type Sample } from '../json-schema/values/sample.js'

/** `cwd`: undefined for a server that is elsewhere. */
export function sampleIn(cwd: string | undefined): Sample {
  return ({ name, description = '' }) => {
    const words = wordsOf(name)
    const has = (...any: string[]) => any.some((word) => words.includes(word))
    if (has('uri', 'url')) return []
    const isNew = has('destination', 'dest', 'target', 'output', 'new', 'to') && has('path', 'file', 'filename', 'name')
    const isFolder =
      has('dir', 'dirs', 'directory', 'folder', 'cwd', 'root', 'workspace', 'repo', 'repository', 'repopath') ||
      (has('path') &&
        /\b(?:director(?:y|ies)|folder|repository)\b/i.test(description) &&
        !/\bfile\b/i.test(description))
    const isFile = has(
      'path',
      'paths',
      'file',
      'files',
      'filename',
      'filepath',
      'filenames',
      'document',
      'source',
      'note',
    )
    if (isNew || has('destination')) return places(['new-example.txt'], cwd, description)
    if (isFolder) return [...places(['.'], cwd, description), 'folder']
    if (isFile)
      return places(
        [/markdown|note|\.md\b/i.test(`${name} ${description}`) ? 'example.md' : 'example.txt'],
        cwd,
        description,
      )
    return []
  }
}

/** Relative, unless only an absolute path will do; the other one second. */
function places(paths: string[], cwd: string | undefined, description: string): string[] {
  if (cwd === undefined) return paths
  const absolute = paths.map((path) => join(cwd, path))
  return /\babsolute\b|full path/i.test(description) ? [...absolute, ...paths] : [...paths, ...absolute]
}

// What differs between two moments of a workspace, line by line. Pure.
import { hash } from 'node:crypto'
import { createRequire } from 'node:module'
import { escapeControls } from '../base/hidden.js'
import { clip } from '../base/text.js'
import { ownValue } from '../base/record.js'
import type { FileChange } from '../model/workspace.js'
import { shownFile, type KeptFile, type KeptFiles } from './snapshots.js'

export interface Hunk {
  /** Lines of the newer file, from 1. */
  start: number
  end: number
  old_start: number
  old_end: number
  /** Lines that begin with "+", "-" or a space. */
  content: string
}

export interface FileDiff {
  additions: number
  deletions: number
  hunks: Hunk[]
  /** Not text, or too different to be compared line by line: the whole file counts as replaced. */
  replaced?: true
}

export interface WorkspaceDiff {
  changed_files: string[]
  added_files: string[]
  deleted_files: string[]
  diffs: Record<string, FileDiff>
}

export function diffFiles(before: KeptFiles, after: KeptFiles): WorkspaceDiff {
  const changes = changedPaths(before, after)
  const of = (kind: FileChange['change']): string[] =>
    changes.filter(({ change }) => change === kind).map(({ path }) => path)
  return {
    changed_files: of('changed'),
    added_files: of('added'),
    deleted_files: of('deleted'),
    diffs: Object.fromEntries(
      changes.map(({ path }) => [path, diffOne(ownValue(before, path), ownValue(after, path))]),
    ),
  }
}

/** The same for a result line: at most that many files, each with a diff of at most that many characters. */
export function describeChanges(
  before: KeptFiles,
  after: KeptFiles,
  limits: { files: number; characters: number },
): { changes: FileChange[]; left_out: number } {
  const all = changedPaths(before, after)
  const changes = all.slice(0, limits.files).map((change): FileChange => {
    const { additions, deletions, hunks, replaced } = diffOne(
      ownValue(before, change.path),
      ownValue(after, change.path),
    )
    if (replaced) return change
    return { ...change, additions, deletions, diff: clip(unified(hunks), limits.characters) }
  })
  return { changes, left_out: all.length - changes.length }
}

function changedPaths(before: KeptFiles, after: KeptFiles): FileChange[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  return paths.flatMap((path): FileChange[] => {
    const [old, now] = [ownValue(before, path), ownValue(after, path)]
    if (!old) return [{ path, change: 'added' }]
    if (!now) return [{ path, change: 'deleted' }]
    return isSame(old, now) ? [] : [{ path, change: 'changed' }]
  })
}

/** How much text is kept as it is may differ between the two. */
function isSame(a: KeptFile, b: KeptFile): boolean {
  if ('text' in a === 'text' in b) return shownFile(a) === shownFile(b)
  return sha256Of(a) === sha256Of(b)
}

function sha256Of(file: KeptFile): string | undefined {
  if ('text' in file) return hash('sha256', file.text)
  return 'sha256' in file ? file.sha256 : undefined
}

type Diff = typeof import('diff')
type Compare = Diff['structuredPatch']

const LIMITS = { context: 3, maxEditLength: 2000, timeout: 200 }

function diffOne(before: KeptFile | undefined, after: KeptFile | undefined): FileDiff {
  const isText = [before, after].every((file) => file === undefined || 'text' in file)
  const [old, now] = [before, after].map((file) => (file && 'text' in file ? file.text : ''))
  const patch = isText ? compare()('a', 'b', old ?? '', now ?? '', '', '', LIMITS) : undefined
  if (!patch) return { additions: countLines(now), deletions: countLines(old), hunks: [], replaced: true }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines)
  return {
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
    hunks: patch.hunks.map((hunk) => ({
      start: hunk.newStart,
      end: hunk.newStart + Math.max(0, hunk.newLines - 1),
      old_start: hunk.oldStart,
      old_end: hunk.oldStart + Math.max(0, hunk.oldLines - 1),
      content: hunk.lines.join('\n'),
    })),
  }
}

function compare(): Compare {
  return (createRequire(import.meta.url)('diff') as Diff).structuredPatch
}

function countLines(text = ''): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}

function unified(hunks: Hunk[]): string {
  return hunks
    .flatMap((hunk) => [
      `@@ -${range(hunk.old_start, hunk.content, '-')} +${range(hunk.start, hunk.content, '+')} @@`,
      ...hunk.content.split('\n').map((line) => escapeControls(line)),
    ])
    .join('\n')
}

/** If a side has no lines, its range begins before the line it would follow. */
function range(start: number, content: string, mark: '-' | '+'): string {
  const lines = content.split('\n').filter((line) => line.startsWith(mark) || line.startsWith(' ')).length
  return lines === 0 ? `${Math.max(0, start - 1)},0` : `${start},${lines}`
}

// The files of a workspace after a case: what it began with, and the changes that its result describes.
import { applyPatch } from 'diff'
import type { ResultEvent } from '../model/event.js'
import type { WorkspaceSpec } from '../model/workspace.js'
import { filesBefore, type ConductFiles } from './conduct-files.js'

export function filesAfter(spec: WorkspaceSpec, { changes = [], changes_left_out }: ResultEvent): ConductFiles {
  const files = filesBefore(spec)
  // Any file may be among those that were left out.
  if (changes_left_out) for (const path of Object.keys(files)) files[path] = null
  for (const { path, change, diff } of changes) {
    if (change === 'deleted') delete files[path]
    else files[path] = patched(change === 'added' ? '' : files[path], diff)
  }
  return files
}

/** Null where the diff was cut, or does not fit. */
function patched(before: string | null | undefined, diff: string | undefined): string | null {
  if (diff === undefined || typeof before !== 'string' || diff.includes('\\u')) return null
  if (diff === '') return before
  const after = applyPatch(before, `--- a\n+++ b\n${diff}\n`)
  return after === false || !isWhole(diff) ? null : after
}

/** Every hunk has as many lines as its header says. */
function isWhole(diff: string): boolean {
  return diff.split(/^(?=@@ -)/m).every((hunk) => {
    const header = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(hunk)
    if (!header) return false
    const lines = hunk.split('\n').slice(1)
    const of = (mark: string): number => lines.filter((line) => line.startsWith(mark) || line.startsWith(' ')).length
    return of('-') === Number(header[1] ?? 1) && of('+') === Number(header[2] ?? 1)
  })
}

// The files of a workspace after a case: what it began with, and the changes that its result describes.
import { applyPatch } from 'diff'
import type { ResultEvent } from '../model/event.js'
import type { CaseWorkspace, FileReading, WorkspaceSpec } from '../model/workspace.js'

/** Text by path; null: something is there, but the result does not hold what. */
export type ConductFiles = Readonly<Record<string, string | null>>

const SCRATCHPAD = '.agent/scratchpad.md'

/** As the case begins. */
export function filesBefore({ fixtures = {}, scratchpad, config }: WorkspaceSpec): Record<string, string | null> {
  return { ...fixtures, ...(scratchpad !== undefined && { [scratchpadOf(config)]: scratchpad }) }
}

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

/** Files that are only data, where an assertion expects a folder. */
export function workspaceOf(
  spec: WorkspaceSpec,
  files: ConductFiles,
  changes: CaseWorkspace['changes'],
): CaseWorkspace {
  return {
    path: '',
    config: spec.config ?? {},
    scratchpad: scratchpadOf(spec.config),
    read: async (path) => readingOf(files, path),
    contents: async () => ({ ...files }),
    changes,
    written: async () => ({ files: {}, left_out: [] }),
    write: async () => {},
    watch: () => async () => undefined,
    close: async () => {},
  }
}

function readingOf(files: ConductFiles, given: string): FileReading {
  const path = given.replace(/^\.\//, '')
  if (!Object.hasOwn(files, path))
    return Object.keys(files).some((name) => name.startsWith(`${path}/`)) ? { kind: 'folder' } : { kind: 'missing' }
  const text = files[path]
  if (typeof text === 'string') return { kind: 'text', text, bytes: Buffer.byteLength(text) }
  return { kind: 'refused', why: `the result does not hold all of ${path}` }
}

function scratchpadOf(config: Record<string, unknown> | undefined): string {
  const core = config?.['core']
  const moved = typeof core === 'object' && core !== null ? (core as Record<string, unknown>)['scratchpad'] : undefined
  return typeof moved === 'string' ? moved : SCRATCHPAD
}

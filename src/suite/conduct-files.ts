// The files of a workspace, as data.
import type { CaseWorkspace, FileReading, WorkspaceSpec } from '../model/workspace.js'

/** Text by path; null: something is there, but the result does not hold what. */
export type ConductFiles = Readonly<Record<string, string | null>>

const SCRATCHPAD = '.agent/scratchpad.md'

/** As the case begins. */
export function filesBefore({ fixtures = {}, scratchpad, config }: WorkspaceSpec): Record<string, string | null> {
  const files = Object.entries(fixtures).map(([path, file]) => [path, typeof file === 'string' ? file : null] as const)
  return { ...Object.fromEntries(files), ...(scratchpad !== undefined && { [scratchpadOf(config)]: scratchpad }) }
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

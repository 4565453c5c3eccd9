// A workspace as the stages see it: what is asked for, what a file contains, what has changed.

/** `workspace` of a case, and the arguments of `test_setup`. */
export interface WorkspaceSpec {
  /** Path → content. */
  fixtures?: Record<string, Fixture>
  /** The initial content of the scratchpad. */
  scratchpad?: string
  /** The orchestrator's configuration. */
  config?: Record<string, unknown>
  /** Files and folders of this machine that it begins with, as they are: not only text, modes kept. */
  copies?: WorkspaceCopy[]
  /** Programs get a home folder of their own, which has only these files and goes with the workspace. */
  home?: WorkspaceCopy[]
}

/** Text as it is; the bytes of anything else in base64, so that they are part of the case wherever it goes. */
export type Fixture = string | { base64: string }

export interface WorkspaceCopy {
  /** An absolute path. */
  from: string
  /** Below the workspace, or the home folder. */
  to: string
}

/** What is at a path of a workspace. Whatever an agent has put there, reading it is safe. */
export type FileReading =
  | { kind: 'text'; text: string; bytes: number }
  | { kind: 'binary'; bytes: number }
  | { kind: 'too_big'; bytes: number; limit: number }
  | { kind: 'missing' }
  | { kind: 'folder' }
  /** The path leads out of the workspace, or to something that is not a file, or the system refuses. */
  | { kind: 'refused'; why: string }

/** What assertions may ask of a workspace. */
export interface WorkspaceFiles {
  /** Where it is, for scripts that look for themselves. */
  path?: string
  /** Where the scratchpad is, relative to the workspace. */
  scratchpad: string
  read(path: string): Promise<FileReading>
  /** Every file: its text, or something that identifies it. */
  contents(): Promise<Record<string, unknown>>
}

export interface FileChange {
  path: string
  change: 'added' | 'changed' | 'deleted'
  /** Lines; absent if the file is not text. */
  additions?: number
  deletions?: number
  /** Unified, cut to size. */
  diff?: string
}

export interface WorkspaceChanges {
  changes: FileChange[]
  /** How many more there are. */
  left_out: number
}

/** What a recording keeps of the work in a workspace: text by path, null for a file that was removed. */
export type WrittenFiles = Record<string, string | null>

/** For recording an agent, or playing it back. */
export interface WorkspaceRecorder {
  /** What was written since the last call; `left_out` are the files that are too large to keep, or not text. */
  written(): Promise<{ files: WrittenFiles; left_out: string[] }>
  /** Throws a UserError for a path that leads out. What was left out is not looked at: it would seem to be missing. */
  write(files: WrittenFiles, leftOut: readonly string[]): Promise<void>
}

/** The workspace of one attempt at a case. */
export interface CaseWorkspace extends WorkspaceFiles, WorkspaceRecorder {
  path: string
  /** If it has one of its own. */
  home?: string
  config: Record<string, unknown>
  /** Since the attempt began. */
  changes(): Promise<WorkspaceChanges>
  /** Calls back once if it becomes too large, until the returned function is called. */
  watch(onTooLarge: (error: Error) => void): () => Promise<Error | undefined>
  /** `keep`: it stays where it is. */
  close(keep: boolean): Promise<void>
}

/** An orchestrator keeps its session and its events in the folder: they are not work of its hats. */
export type OpenCaseWorkspace = (spec: WorkspaceSpec, kind: 'folder' | 'orchestrator') => Promise<CaseWorkspace>

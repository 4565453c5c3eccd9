// The messages between Viva and a script's process. Frames: 4 bytes length, then (from the child only) a seal, then v8-serialised data.
import type { AgentContext } from '../model/agent.js'
import type { ScriptOutcome, ToolModuleCall } from '../model/script.js'

export const HEADER_BYTES = 4

/** Prefix of the names under which a compiled script exposes its top-level functions, exported or not. */
export const EXPORT_PREFIX = '__viva_fn_'

/** How compiled code begins; functions that start inside it are not the user's. */
export const FACTORY_START = 'module.exports=function(module,exports){'

/** An exception on its way to another process. */
export interface WireError {
  name: string
  message: string
  code?: unknown
  stack?: string
}

export interface HelloMessage {
  k: 'hello'
  /** The key with which the child seals its frames. */
  key: Uint8Array
  app_root: string
  coverage: boolean
  verbose: boolean
}

export interface CompiledScript {
  /** Of this compilation: a process that has seen it does not need the code again. */
  id: number
  path: string
  /** A module that exports a function `(module, exports)`: each call of it is a fresh instance of the script. */
  code: string
}

/** What a process needs to know about a script. */
export interface ScriptMessage {
  id: number
  path: string
  /** Absent: it was sent before. */
  code?: string
}

export interface TestsMessage {
  k: 'tests'
  script: ScriptMessage
  ref: string
  tests: { name: string; id: string }[]
  /** Names of all tests of the file, to find functions that look like one and are not; absent: it was done before. */
  known?: string[]
  context: AgentContext
  max_failures?: number
}

export interface CallMessage {
  k: 'call'
  script: ScriptMessage
  /** Undefined: the default export, else the only exported function. */
  name?: string
  args: unknown[]
  context_args: number[]
  tools?: ToolModuleCall
}

export interface ReplyMessage {
  k: 'reply'
  id: number
  value?: unknown
  error?: WireError
}

/** A process that this child's test mocks was called further down the chain. */
export interface InvokeMessage {
  k: 'invoke'
  id: number
  name: string
  args: unknown[]
  context_args: number[]
}

export type HostMessage = HelloMessage | TestsMessage | CallMessage | ReplyMessage | InvokeMessage

export type RequestOp = 'process' | 'judge' | 'check' | 'http' | 'store' | 'memory' | 'match' | 'path' | 'messages'

export interface RequestMessage {
  k: 'request'
  id: number
  op: RequestOp
  args: unknown[]
  context_args?: number[]
}

/** How a test ended, without its output. */
export type TestOutcome = Omit<ScriptOutcome, 'logs' | 'logs_dropped'>

export type ChildMessage =
  | RequestMessage
  /** Loading, BeforeAll, … : work outside any test, under the same time limit. */
  | { k: 'phase'; name: string }
  | { k: 'start'; index: number }
  | { k: 'verdict'; index: number; verdict: TestOutcome }
  /** Everything from `index` on fails for this reason: the file could not be loaded, BeforeAll threw. */
  | { k: 'refused'; error: string; stack?: string }
  | { k: 'log'; lines: string[] }
  | { k: 'late'; message: string; where: string; stack?: string }
  | { k: 'mocks'; names: string[] }
  | { k: 'send'; message: unknown }
  | { k: 'coverage'; path: string; functions: FunctionCoverage[] }
  /** All tests have been run; what they left behind may still surface. */
  | { k: 'done' }
  /** Nothing more will come. */
  | { k: 'ended' }
  | { k: 'result'; value?: unknown; error?: WireError; dirty: boolean }
  | { k: 'invoked'; id: number; value?: unknown; error?: WireError }

/** As V8 reports it: ranges are offsets in the compiled code. */
export interface FunctionCoverage {
  functionName: string
  isBlockCoverage: boolean
  ranges: { startOffset: number; endOffset: number; count: number }[]
}

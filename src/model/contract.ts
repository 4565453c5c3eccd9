// What was found out about an MCP server by calling it: the part of a message that asks for it, and the evidence, as plain data.
import type { ContentPart } from './message.js'

/** A tool, prompt, resource or template as the server lists it. */
export type Listed = Record<string, unknown>

export type ContractSubject =
  | { kind: 'tool'; item: Listed }
  | { kind: 'prompt'; item: Listed }
  | { kind: 'resource'; item: Listed }
  | { kind: 'template'; item: Listed }
  /** The server as a whole. */
  | { kind: 'handshake' | 'lists' | 'refusals' | 'cancellation' }

export type SubjectKind = ContractSubject['kind']

export interface ContractPart extends ContentPart {
  type: 'contract'
  subject: ContractSubject
  /** Why a tool must not be called. */
  not_called?: string
  /** In words: `contract of the tool find`. */
  text: string
}

/** What a server offers, before anything else of it is called. */
export interface ServerSurvey {
  /** It is a program that Viva starts, with a folder of its own to work in. */
  isLocal: boolean
  tools: Listed[]
  prompts: Listed[]
  resources: Listed[]
  templates: Listed[]
}

/** `read`: of another tool, to learn whether what it says has changed. */
export type ProbePurpose =
  | 'start'
  | 'list'
  | 'typical'
  | 'boundary'
  | 'wrong'
  | 'hostile'
  | 'again'
  | 'read'
  | 'unknown'
  | 'cancel'
  | 'after'

/** One request, what became of it, and what can be said about the answer. */
export interface Probe {
  purpose: ProbePurpose
  /** What is particular about what was sent. */
  why?: string
  /** As sent and as received; long texts are cut. */
  request: unknown
  answer?: unknown
  ended: 'answered' | 'timeout' | 'aborted' | 'closed' | 'too_large' | 'failed'
  /** Why there is no answer. */
  reason?: string
  ms: number
  bytes: number
  /** How it says that it failed: an error of JSON-RPC, `isError`, or only words that read like one. */
  failed?: 'error' | 'is_error' | 'words'
  /** What it says in that case. */
  said?: string
  /** Of an error of JSON-RPC. */
  code?: number
  /** Where the whole answer does not fit the protocol. */
  protocol?: string[]
  /** Where the whole result does not fit the output schema of its tool. */
  output?: string[]
  /** What is wrong about its progress notifications. */
  progress?: string[]
  /** It still worked when we stopped waiting: it reported progress. */
  works?: true
  /** The server did not answer a ping afterwards: why. */
  down?: string
}

/** Something that is not as it was. */
export interface StateChange {
  where: 'workspace' | 'home' | 'install' | 'reader'
  change: 'added' | 'changed' | 'deleted'
  /** A file, or the tool whose answer has changed. */
  what: string
  before?: unknown
  after?: unknown
  /** The call that was made in between, or the last of them. */
  probe: Probe
  /** A log, a cache or a lock by its name. */
  aside?: 'log' | 'cache' | 'lock'
}

export interface ListsSeen {
  kind: 'tools' | 'prompts' | 'resources' | 'resourceTemplates'
  /** Why a list could not be read to its end. */
  problem?: string
  /** Names or addresses that are listed more than once. */
  repeated: string[]
  /** Names that the protocol does not allow, or advises against. */
  unnamed: number
  odd_names: string[]
  /** What is different the second time, though no change was announced. */
  changed: string[]
  /** The same, in what is said about the items. */
  reworded: string[]
}

export interface ContractEvidence {
  subject: ContractSubject
  server: { name?: string; version?: string; protocol?: string; asked_protocol: string; known_protocols: string[] }
  /** Why it could not be started. */
  not_started?: string
  /** Why nothing of the subject was called. */
  not_called?: string
  probes: Probe[]
  /** After calls that should change nothing. */
  changes: StateChange[]
  /** After the second of two equal calls. */
  changes_again: StateChange[]
  /** Where nobody looked for changes, and why. */
  not_watched: string[]
  /** Something changed, and whether the call did it cannot be told. */
  undecided: string[]
  /** A part of an argument was run as a command by this call. */
  executed?: Probe
  lists: ListsSeen[]
  /** What broke the protocol outside of an exchange. */
  faults: string[]
  /** What was left out for lack of time, or because earlier calls went wrong. */
  left_out: string[]
}

/** What a rule has found: `actual` of its assertion. */
export interface ContractFinding {
  rule: string
  found: string
  also?: string[]
  reason: string
  fix: string
  request?: unknown
  answer?: unknown
  /** What changed, as one of the server's read-only tools told it. */
  before?: unknown
  after?: unknown
}

// Tools that a test provides, `testing.tools: "./tools.ts"`, with a store of their own for each attempt at a case.
import type { ToolCall } from './message.js'
import type { ToolSpec } from './tool-spec.js'

export type ToolOutcome = { result: unknown } | { error: string }

/** One of them, among the replacements of tools. */
export class GivenTool {
  /** Under its own name, without a server. */
  readonly spec: ToolSpec
  /** What a tool throws is its answer. Rejects if it does not work: that ends the case. */
  readonly call: (args: unknown) => Promise<ToolOutcome>

  constructor(spec: ToolSpec, call: GivenTool['call']) {
    this.spec = spec
    this.call = call
  }
}

/** For recording an agent that was told where they are served, or playing it back. */
export interface ToolsRecorder {
  /** Calls that came over MCP since the last turn. */
  made(): Promise<ToolCall[]>
  /** Makes the calls again that a recorded answer made. */
  play(calls: readonly ToolCall[]): Promise<void>
}

/** Opened for one attempt. */
export interface CaseTools extends ToolsRecorder {
  tools: readonly GivenTool[]
  /** Where they are served over MCP, for agents that connect to their tools themselves. */
  url?: string
  /** Calls that came over MCP since this was last asked, in the order of their arrival, once all have been answered. */
  taken(): Promise<ToolCall[]>
  hasStore: boolean
  /** What the store holds, once all calls have been answered. */
  state(): Promise<unknown>
  /** Why the tools themselves did not work. */
  broken(): Error | undefined
  close(): void
}

/** What a store is created for. */
export interface StoreContext {
  case_id: string
  run: number
  attempt: number
  metadata: Record<string, unknown>
}

/** What a module of tools exports as `tools`, by name: `export const tools = {…} satisfies MockTools<Shop>`. */
export type MockTools<Store = unknown> = Record<string, MockTool<Store> | MockTool<Store>['run']>

export interface MockTool<Store = unknown> {
  description?: string
  /** JSON Schema of the arguments, of type object. */
  parameters?: Record<string, unknown>
  /** What it returns is the result, what it throws an error that the agent sees. It may change the store in place. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the schema says what they are
  run(args: any, store: Store, about: StoreContext): unknown
}

export interface OpenTools {
  /** The file, as the case or the configuration names it. */
  file: string
  /** The folder that it is relative to. */
  dir: string
  context: StoreContext
  /** They are reached over MCP. */
  served: boolean
  signal: AbortSignal
  onLog(line: string): void
}

export type OpenCaseTools = (given: OpenTools) => Promise<CaseTools>

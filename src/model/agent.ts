// The one interface behind every agent, and what passes through it.
import type { InferOutput } from 'valibot'
import type { ServerSurvey } from './contract.js'
import type { ToolsRecorder } from './given-tools.js'
import type { Message, ToolCall, ToolEvidence, Usage } from './message.js'
import type { ModelCall } from './model-call.js'
import type { SignedQuestion } from './signed-question.js'
import type { apiRetry, traceStep } from './result-schema.js'
import type { ToolSpec } from './tool-spec.js'
import type { SessionEvidence } from './session-evidence.js'
import type { SkillUse } from './skill-use.js'
import type { Span } from './span.js'
import type { WorkspaceRecorder, WorkspaceSpec, WrittenFiles } from './workspace.js'

export interface Authorized {
  sub?: string
  client_id?: string
  scope?: string
  session_id?: string
  user_id: string
  team_id: string
  tenant_id?: string
  remember_me?: boolean
  constraints?: {
    owner_only?: boolean
    creator_only?: boolean
    editor_only?: boolean
    team_only?: boolean
    extra?: Record<string, unknown>
  }
}

/** Who is asking, from where, in which conversation. Plain data; scripts see it as `ctx`. */
export interface AgentContext {
  chat_id: string
  assistant_id: string
  locale: string
  theme?: string
  referer: string
  accept: string
  route?: string
  client: { type: string; ip: string; user_agent?: string }
  metadata: Record<string, unknown>
  authorized: Authorized
  /** The path of the case's workspace. */
  workspace?: string
  /** The home folder of this attempt, if it has one of its own. */
  home?: string
  /** The skills that a test has put into the workspace: a hash of their files, by name. */
  skills?: Record<string, string>
  /** Where the tools of the case are served over MCP, if it has any: an address for this attempt alone. */
  mock_mcp?: string
}

/** `options` of a case or turn, passed to the agent. */
export interface AgentOptions {
  connector?: string
  skip?: Record<string, boolean>
  search?: unknown
  mode?: string
  metadata?: Record<string, unknown>
  disable_global_prompts?: boolean
  /** From the second turn on: what the agent returned in each earlier one, as it was. */
  history?: unknown[]
  [key: string]: unknown
}

/** `testing.tools` of a case or the configuration: tool name → fixed result, `{script: "scripts:…"}`, or a `GivenTool`. */
export type ToolReplacements = Record<string, unknown>

/** What a variant says about tools, in place of their own descriptions. */
export type ToolDescriptions = Record<string, { description?: string; arguments?: Record<string, string> }>

/** A limit on the time that something may take, by the clock of its run. */
export interface TimeLimit {
  /** Milliseconds. */
  left(): number
}

/** Who waits for an answer, and how long. */
export interface Waiter {
  /** Aborts when the case is over (deadline, Ctrl-C, fail-fast). */
  signal: AbortSignal
  /** When `signal` will abort: a retry that would wait longer gives up at once. */
  deadline?: TimeLimit
  /** Told how long our own limits held a call back: that is not the latency of who answers. */
  onWait?: (ms: number) => void
}

export interface AgentRequest extends Waiter {
  /** The whole conversation so far; the last one is what is answered. */
  messages: Message[]
  context: AgentContext
  options: AgentOptions
  /** Which call of the conversation this is, from 1; absent outside cases. */
  turn?: number
  /** For answers of an old run: the hash of what the case asks, as in results. */
  asked?: string | undefined
  call: ModelCall
  /** Of a judge. */
  signed?: SignedQuestion | undefined
  onChunk?: (text: string) => void
  tools?: ToolReplacements
  /** The tools of the case: the model is offered them, and what it calls is its answer. Nothing is run. */
  offered?: ToolSpec[]
  /** Other words for the tools that are offered. */
  descriptions?: ToolDescriptions
  /** Those of `tools` that the case itself replaces: the agent must have them. */
  ownTools?: string[]
  /** The case's workspace: the working directory of an agent that is a program. */
  workspace?: string
  /** The span that the call is part of, as the W3C writes it. */
  traceparent?: string
  /** Variables for the process that answers this conversation, which answers no other. */
  env?: Record<string, string>
  /** What is done in the workspace, for recordings. */
  workspaceRecorder?: WorkspaceRecorder
  /** Where the tools of the case are served over MCP: for the environment of a program. */
  mockMcp?: string
  /** What is called there, for recordings. */
  toolsRecorder?: ToolsRecorder
  /** `workspace.config` of the case: for an orchestrator. */
  workspaceConfig?: Record<string, unknown>
  /**
   * The caller runs the whole conversation again, with a new chat id, when a process it shared with others is lost (an
   * AgentError with the code `lost`). Without it the agent repeats the call on its own.
   */
  rerun?: 'conversation'
}

/** One transport retry inside an agent call; it never makes a case flaky. */
export interface ApiRetry extends InferOutput<typeof apiRetry> {}

/**
 * One step of what happened inside an agent call, for `-v` and the reports. In a reply `start_ms` is what
 * `monotonicNow` said: an agent does not know when its case began.
 */
export interface TraceStep extends InferOutput<typeof traceStep> {}

export interface AgentReply {
  /** Text or structured data. */
  content: unknown
  /** The agent itself says that it failed: an `error` beside or instead of the content. Inside the content it is data. */
  error?: unknown
  tool_calls: ToolCall[]
  /** Absent: every call is in `tool_calls`. */
  tool_evidence?: ToolEvidence
  finish_reason?: string
  /** Whether it refused; absent where its protocol cannot report that. */
  refusal?: boolean
  awaiting_input?: boolean
  input_hint?: string
  /** Of a judge: scripted, or recorded before verdicts were signed. */
  unsigned?: boolean
  usage?: Usage
  cost_dollars?: number
  /** Tokens at list prices. */
  cost_estimated?: true
  /** The Next hook's data: wins over `content` as the output. */
  next?: unknown
  raw?: unknown
  /** The messages this call added to the conversation (assistant, tool), when the agent knows them. */
  messages?: Message[]
  trace?: TraceStep[]
  /** Steps that the agent itself reports. */
  spans?: Span[]
  first_chunk_ms?: number
  /** How long the answer took when it was recorded; absent: it is measured. */
  duration_ms?: number
  api_retries?: ApiRetry[]
  exit_code?: number
  /** Everything the program wrote, if `content` was read from it. */
  stdout?: string
  stderr?: string
  /** Of a recorded answer: what the agent wrote to its workspace … */
  files?: WrittenFiles
  /** … and which of that was not kept. */
  files_left_out?: string[]
  /** Of a recorded answer: what the agent called of the tools that are served to it. */
  served_calls?: ToolCall[]
  /** What the agent says the state is that it has changed. */
  state?: unknown
  /** Of an orchestrator agent. */
  session?: SessionEvidence
  /** The answer was not UTF-8: `content` is base64 of its first 64 kB. */
  output_encoding?: 'base64'
  /** Processes the agent left behind and Viva killed. */
  leaked?: string[]
  /** The skills it had and used; absent: it cannot be seen. */
  skills?: SkillUse
  /** What the agent printed, and how many lines beyond the limit were dropped. */
  logs?: string[]
  logs_dropped?: number
}

export interface CallableTools {
  tools: readonly ToolSpec[]
  /** There may be others later in a conversation. */
  mayGrow: boolean
}

export interface Agent {
  id: string
  description?: string
  /** Where it was loaded from, for `agent_path`. */
  path?: string
  /** The connector it uses unless a case or flag says otherwise. */
  connector?: string
  /** The event file of an earlier run, in which the answers were paid for. */
  recorded?: string
  /** The file has no fingerprints: of what its cases asked, only the input is known. */
  recordedBy?: 'input'
  /** The name of the skill that is tested with it. */
  skill?: string
  /** Those that it is given, by name: the hash of the files of each. */
  skills?: Readonly<Record<string, string>>
  /** What each of its workspaces begins with, beyond what the case says: without it, a case need not have one. */
  furnish?(spec: WorkspaceSpec | undefined): WorkspaceSpec | undefined
  /** Why it does not answer this case, if it does not. */
  leavesOut?(testCase: { should_trigger?: boolean | undefined }): string | undefined
  /** What it does with a case's workspace: works in the folder, or runs an orchestrator there. Absent: nothing. */
  workspaces?: 'folder' | 'orchestrator'
  /** Which options of a request reach it: none, or the model's parameters. Absent: all, including the connector. */
  sees?: 'nothing' | 'parameters'
  /**
   * How it gets tools that a test provides: Viva calls them for it, or it is told where they are served over MCP. Absent:
   * it cannot be given any.
   */
  givenTools?: 'called' | 'served'
  /** It can be offered the tools of a case. */
  offers?: true
  /** A model (the connector of the request) chooses among these tools, and none of them is run. */
  offered?(): Promise<ToolSpec[]>
  /** Cases call its tools themselves (`call`): those it has, as far as that is known before the first case. */
  callable?(): Promise<CallableTools | undefined>
  /** What an MCP server lists: its contract is tested if there are no cases. */
  survey?(signal: AbortSignal): Promise<ServerSurvey>
  /** Its answers are known beforehand: messages need not be copied for it. */
  listens?: false
  /** Tool names the agent is known to have. */
  tools?: string[]
  /** What its answers depend on besides its own description: for a judge, this must not change while cases run. */
  reads?: { scripts: Array<{ ref: string | { file: string; name: string }; agent_dir: string }>; connector?: string }
  /**
   * Only for agents that act on the `tools` of a request. When `Agent.tools` is known to be all it has: `before` the first
   * call, once it has been `called`, or never, since its hooks may add some.
   */
  allTools?: 'before' | 'called' | 'never'
  send(request: AgentRequest): Promise<AgentReply>
  /** Throws a UserError if it lacks what it needs to answer such a case, e.g. a login. */
  requireSetUp?(asked: {
    options?: AgentOptions | undefined
    workspace?: { config?: Record<string, unknown> | undefined } | undefined
  }): Promise<void>
  /** Whether its endpoint has refused so often that it is no longer called: no case that needs it can run. */
  isStopped?(): boolean
  /**
   * What the conversation needs before it can begin, e.g. a process; `alone`: one not shared with any other, `env`:
   * with these variables. Undefined when there is nothing to wait for.
   */
  reserve?(
    chatId: string,
    alone: boolean,
    signal: () => AbortSignal,
    env?: Record<string, string>,
  ): Promise<void> | undefined
  /** The conversation is over: what was kept for it can go. */
  release?(chatId: string): void | Promise<void>
  close?(): Promise<void>
}

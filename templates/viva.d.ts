// Types for scripts and script tests run by Viva. Written by `viva init --types`; write it again after an upgrade.

declare namespace testing {
  interface T {
    /** The test function's name; subtests add `/name`. */
    readonly name: string
    /** Whether the test has failed so far. */
    readonly failed: boolean
    readonly skipped: boolean
    readonly assert: Assert
    /** Calls that mocks of this test have answered, oldest first. */
    readonly calls: MockCall[]
    log(...args: any[]): void
    /** Logs, and marks the test as failed. */
    error(...args: any[]): void
    /** Marks the test as failed and continues. */
    fail(reason?: string): void
    /** Marks the test as failed and stops it. */
    fatal(reason?: string): never
    /** Stops the test; it counts as skipped. */
    skip(reason?: string): never
    /** A named part of the test. False: it failed. */
    run(name: string, fn: (t: T) => void): boolean
    run(name: string, fn: (t: T) => Promise<void>): Promise<boolean>
    /** Runs after the test, last one first, whatever happened. */
    cleanup(fn: () => any): void
    /** Answers `Process(process, …)` in this test, wherever in the chain it is called; `*` stands for anything. */
    mock(process: string, answer: ((...args: any[]) => any) | unknown): void
    Log: T['log']
    Error: T['error']
    Fail: T['fail']
    Fatal: T['fatal']
    Skip: T['skip']
    Run: T['run']
    Cleanup: T['cleanup']
    Mock: T['mock']
  }

  interface MockCall {
    process: string
    args: any[]
    result?: any
    error?: any
  }

  /** Assertions are soft: the test continues, and all failures are reported. */
  interface Assert {
    True(value: any, message?: string): boolean
    False(value: any, message?: string): boolean
    /** Deep; key order does not matter, `null` is not `undefined`. */
    Equal(actual: any, expected: any, message?: string): boolean
    NotEqual(actual: any, expected: any, message?: string): boolean
    Nil(value: any, message?: string): boolean
    NotNil(value: any, message?: string): boolean
    /** A string contains a string, a list an element. */
    Contains(whole: any, part: any, message?: string): boolean
    NotContains(whole: any, part: any, message?: string): boolean
    /** Characters, elements or keys. */
    Len(value: any, length: number, message?: string): boolean
    Greater(a: any, b: any, message?: string): boolean
    GreaterOrEqual(a: any, b: any, message?: string): boolean
    Less(a: any, b: any, message?: string): boolean
    LessOrEqual(a: any, b: any, message?: string): boolean
    Error(error: any, message?: string): boolean
    NoError(error: any, message?: string): boolean
    Panic(fn: () => Promise<any>, message?: string): Promise<boolean>
    Panic(fn: () => any, message?: string): boolean
    NoPanic(fn: () => Promise<any>, message?: string): Promise<boolean>
    NoPanic(fn: () => any, message?: string): boolean
    /** A RegExp, or a pattern as JavaScript or Go writes it. */
    Match(value: any, pattern: RegExp | string, message?: string): boolean
    NotMatch(value: any, pattern: RegExp | string, message?: string): boolean
    JSONPath(value: any, path: string, expected: any, message?: string): boolean
    Type(
      value: any,
      type:
        | 'string'
        | 'number'
        | 'boolean'
        | 'object'
        | 'array'
        | 'null'
        | 'undefined'
        | 'function'
        | 'bigint'
        | 'symbol',
      message?: string,
    ): boolean
    /** An agent judges the response. */
    Agent(response: any, agent: string, options?: AgentOptions, message?: string): boolean
    /**
     * Any assertion of case files, on an agent's response, a value, or what is known about a run. What is not known
     * (tool calls of a text, say) is an error, never a pass.
     */
    Check(subject: any | Evidence, assertion: Assertion | Assertion[], message?: string): boolean
  }

  /** What is known about a run. */
  interface Evidence {
    output?: any
    input?: any
    expected?: any
    messages?: { role: string; [key: string]: any }[]
    tool_calls?: { name: string; args?: any; arguments?: any; result?: any; error?: string; [key: string]: any }[]
    finish_reason?: string
    /** Whether the agent refused; absent: its protocol cannot report that. */
    refusal?: boolean
    awaiting_input?: boolean
    awaiting_reason?: string
    duration_ms?: number
    usage?: { input_tokens: number; output_tokens: number; total_tokens: number }
    cost_dollars?: number
    /** Steps: a list of {name, kind, duration_ms, …}, or OTLP/JSON. */
    spans?: any
    exit_code?: number
    stdout?: string
    stderr?: string
    /** The text of a session.jsonl, or `session` of a response. */
    session?: any
    /** A folder inside the application root, for assertions on files. */
    workspace?: string
    metadata?: Record<string, any>
  }

  /** As in case files; a bare string is a type. */
  type Assertion =
    | AssertionType
    | {
        type?: AssertionType
        value?: any
        path?: string
        message?: string
        negate?: boolean
        label?: string
        [parameter: string]: any
      }

  type AssertionType =
    | 'equals'
    | 'contains'
    | 'not_contains'
    | 'regex'
    | 'json_path'
    | 'type'
    | 'schema'
    | 'length'
    | 'words'
    | 'similar'
    | 'snapshot'
    | 'awaiting_input'
    | 'refusal'
    | 'injection'
    | 'tool_called'
    | 'tool_not_called'
    | 'tool_result'
    | 'tool_sequence'
    | 'expect_tool'
    | 'skill_invoked'
    | 'claims'
    | 'contract'
    | 'span'
    | 'span_sequence'
    | 'latency'
    | 'duration'
    | 'cost'
    | 'tokens'
    | 'exit_code'
    | 'stdout_contains'
    | 'stderr_contains'
    | 'cost_within'
    | 'file_exists'
    | 'file_contains'
    | 'file_not_contains'
    | 'code_contains'
    | 'file_json'
    | 'state_equals'
    | 'state_changed'
    | 'scratchpad_contains'
    | 'snapshot_matches'
    | 'termination_reason'
    | 'iterations'
    | 'event_occurred'
    | 'event_sequence'
    | 'event_count'
    | 'no_event'
    | 'event_schema'
    | 'hat_sequence'
    | 'hat_transition'
    | 'iteration_count'
    | 'agent'
    | 'rubric'
    | 'script'
    | 'all'
    | 'any'
    | 'none'

  interface AgentOptions {
    connector?: string
    metadata?: Record<string, any> & { criteria?: string; conversation?: any[] }
    [key: string]: any
  }

  /** Given to `TestMain`: 0 if all tests passed. A promise if a test is asynchronous. */
  interface M {
    run(): number | Promise<number>
    Run(): number | Promise<number>
  }
}

declare namespace agent {
  interface Context {
    chat_id: string
    assistant_id: string
    locale: string
    theme: string
    referer: string
    accept: string
    route: string
    client: { type: string; ip: string; user_agent?: string }
    metadata: Record<string, any>
    authorized: Authorized
    /** The same data under other names; both stay in sync. */
    User: Person | null
    Team: Person | null
    Locale: string
    Client: { Type: string; IP: string; UserAgent?: string }
    Metadata: Record<string, any>
    ChatID: string
    AssistantID: string
    readonly memory: { user: Space; team: Space; chat: Space; context: Space }
    readonly agent: Agents
    readonly mcp: ToolServers
    readonly trace: any
    /** Each returns the message's id. */
    Send(message: string | Message, blockId?: string): string
    SendStream(message: string | Message, blockId?: string): string
    Append(messageId: string, content: any, path?: string): string
    Replace(messageId: string, message: string | Message): string
    Merge(messageId: string, data: any, path?: string): string
    Set(messageId: string, data: any, path?: string): string
    End(messageId: string, content?: string): string
    EndBlock(blockId: string): void
    MessageID(): string
    BlockID(): string
    ThreadID(): string
    Release(): void
  }

  interface Person {
    ID: string
    Name?: string
  }

  interface Authorized {
    user_id: string
    team_id: string
    sub?: string
    client_id?: string
    scope?: string
    session_id?: string
    tenant_id?: string
    remember_me?: boolean
    constraints?: {
      owner_only?: boolean
      creator_only?: boolean
      editor_only?: boolean
      team_only?: boolean
      extra?: Record<string, any>
    }
  }

  interface Message {
    type?: string
    props?: Record<string, any>
    message_id?: string
    block_id?: string
    thread_id?: string
    [key: string]: any
  }

  /** What the hook `Create(ctx, messages, options)` may return. */
  interface CreateResponse {
    messages?: Message[]
    connector?: string
    prompt_preset?: string
    disable_global_prompts?: boolean
    mcp_servers?: any[]
    metadata?: Record<string, any>
    locale?: string
    temperature?: number
    max_tokens?: number
    delegate?: Delegate
    [option: string]: any
  }

  /** What the hook `Next(ctx, payload, options)` receives. */
  interface NextPayload {
    messages: Message[]
    completion: { content: any; tool_calls?: any[]; usage?: any } | null
    tools: ToolResult[]
    error?: string
  }

  /** What the hook `Next` may return. */
  interface NextResponse {
    data?: any
    delegate?: Delegate
    metadata?: Record<string, any>
  }

  interface Delegate {
    agent_id: string
    messages?: Message[]
    options?: Record<string, any>
  }

  interface ToolResult {
    toolcall_id: string
    server: string
    tool: string
    arguments: any
    result?: any
    error?: string
  }

  interface Agents {
    Call(agent: string, messages: any, options?: Record<string, any>): any
    Call(request: { agent: string; messages: any; options?: Record<string, any> }): any
    All(requests: { agent: string; messages: any; options?: Record<string, any> }[]): any[]
    Any(requests: { agent: string; messages: any; options?: Record<string, any> }[]): any
    Race(requests: { agent: string; messages: any; options?: Record<string, any> }[]): any
  }

  interface ToolServers {
    ListTools(server: string, cursor?: string): any
    CallTool(server: string, tool: string, args?: any): any
    CallTools(server: string, calls: { name: string; arguments?: any }[]): any
    CallToolsParallel(server: string, calls: { name: string; arguments?: any }[]): any
    ListResources(server: string, cursor?: string): any
    ReadResource(server: string, uri: string): any
    ListPrompts(server: string, cursor?: string): any
    GetPrompt(server: string, name: string, args?: any): any
    ListSamples(server: string, type: string, name: string): any
    GetSample(server: string, type: string, name: string, index: number): any
  }

  /** Keys and values; every method also exists with a lower-case first letter. */
  interface Space {
    Get(key: string): any
    Set(key: string, value: any, ttlSeconds?: number): void
    Has(key: string): boolean
    /** `prefix:*` matches every key with that prefix. */
    Del(key: string): void
    GetDel(key: string): any
    GetSet(key: string, value: any | ((key: string) => any), ttlSeconds?: number): any
    Keys(): string[]
    Len(): number
    Clear(): void
    Incr(key: string, by?: number): number
    Decr(key: string, by?: number): number
    Push(key: string, ...values: any[]): number
    Pop(key: string): any
    Pull(key: string, count: number): any[]
    PullAll(key: string): any[]
    AddToSet(key: string, ...values: any[]): number
    ArrayLen(key: string): number
    ArrayGet(key: string, index: number): any
    ArraySet(key: string, index: number, value: any): void
    ArraySlice(key: string, start: number, end?: number): any[]
    ArrayPage(key: string, page: number, size: number): any[]
    ArrayAll(key: string): any[]
    get: Space['Get']
    set: Space['Set']
    has: Space['Has']
    del: Space['Del']
    keys: Space['Keys']
    len: Space['Len']
    clear: Space['Clear']
    incr: Space['Incr']
    decr: Space['Decr']
    push: Space['Push']
    pop: Space['Pop']
  }
}

declare namespace http {
  interface Response {
    /** 0 if there was no answer; `message` then says why. */
    status: number
    code: number
    message: string
    headers: Record<string, string[]>
    data: any
  }
  type Query = string | Record<string, any> | any[]
  type Headers = Record<string, string> | Record<string, string>[]
  function Get(url: string, query?: Query | null, headers?: Headers | null): Response
  function Post(url: string, payload?: any, files?: any, query?: Query | null, headers?: Headers | null): Response
  function Put(url: string, payload?: any, query?: Query | null, headers?: Headers | null): Response
  function Patch(url: string, payload?: any, query?: Query | null, headers?: Headers | null): Response
  function Delete(url: string, payload?: any, query?: Query | null, headers?: Headers | null): Response
  function Head(url: string, payload?: any, query?: Query | null, headers?: Headers | null): Response
  function Send(
    method: string,
    url: string,
    payload?: any,
    query?: Query | null,
    headers?: Headers | null,
    files?: any[],
  ): Response
}

declare namespace log {
  function Trace(format: any, ...args: any[]): void
  function Debug(format: any, ...args: any[]): void
  function Info(format: any, ...args: any[]): void
  function Warn(format: any, ...args: any[]): void
  function Error(format: any, ...args: any[]): void
  function Fatal(format: any, ...args: any[]): void
}

declare namespace time {
  function Sleep(milliseconds: number): void
}

/** Calls an agent (`agents.<id>.Stream`), `agent.Call`, or a function of a script; blocks until it has answered. */
declare function Process(name: string, ...args: any[]): any

declare class Exception extends Error {
  constructor(message: string, code?: number)
  code: number
}

declare const agent: {
  Call(request: { agent: string; messages: any; options?: Record<string, any> }, ctx?: agent.Context): any
}

interface VivaFileSystem {
  ReadFile(path: string): string
  ReadFileBuffer(path: string): Uint8Array
  ReadFileBase64(path: string): string
  WriteFile(path: string, data: string | Uint8Array): number
  WriteFileBuffer(path: string, data: Uint8Array): number
  WriteFileBase64(path: string, data: string): number
  AppendFile(path: string, data: string | Uint8Array): number
  Exists(path: string): boolean
  IsDir(path: string): boolean
  IsFile(path: string): boolean
  IsLink(path: string): boolean
  ReadDir(path: string, recursive?: boolean): string[]
  Mkdir(path: string): void
  MkdirAll(path: string): void
  MkdirTemp(path?: string, prefix?: string): string
  Remove(path: string): void
  RemoveAll(path: string): void
  Copy(from: string, to: string): void
  Move(from: string, to: string): void
  Chmod(path: string, mode: number): void
  Size(path: string): number
  ModTime(path: string): number
  Mode(path: string): number
  BaseName(path: string): string
  DirName(path: string): string
  ExtName(path: string): string
  MimeType(path: string): string
  Abs(path: string): string
  Root(): string
}

/** Files inside the application root. */
declare const FS: { (name: 'system'): VivaFileSystem; new (name: 'system'): VivaFileSystem }
declare const Store: { (name: string): agent.Space; new (name: string): agent.Space }

/** Who the script runs for. */
declare function Authorized(): agent.Authorized | null
/** The agent's messages in the language of the conversation. */
declare function $L(text: string): string

type TestingT = testing.T
type Context = agent.Context

declare module '@yao/*'

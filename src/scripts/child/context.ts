// `ctx` as scripts see it: plain data with the seeds' names as aliases that stay in step, memory, agents and tools.
import { send } from './channel.js'
import { brandContext, isContext } from './context-brand.js'
import { plain } from './plain.js'
import { makeSpace } from './store.js'
import { ask, callMock, callProcess, findMock } from './sync-call.js'
import { makeTrace } from './trace.js'

type Data = Record<string, unknown>

const PARTS = Symbol('parts')
const PLAIN_ID_KEYS = { User: 'user_id', Team: 'team_id' } as const

export class Context {
  declare chat_id: string
  declare assistant_id: string
  declare locale: string
  declare client: Data | null
  declare metadata: Data
  declare authorized: Data | null
  declare [PARTS]: Map<string, unknown>

  constructor(data: Data) {
    Object.assign(this, { theme: '', route: '', ...data })
    Object.defineProperty(this, PARTS, { value: new Map() })
    brandContext(this)
  }

  get User(): unknown {
    return person(this, 'User')
  }
  set User(value: unknown) {
    setPerson(this, 'User', value)
  }
  get Team(): unknown {
    return person(this, 'Team')
  }
  set Team(value: unknown) {
    setPerson(this, 'Team', value)
  }
  get Client(): unknown {
    const client = this.client
    return client ? once(this, 'Client', client, () => clientView(client)) : client
  }
  set Client(value: unknown) {
    const given = value as Data | null | undefined
    this.client = given
      ? {
          type: given['Type'] ?? given['type'],
          ip: given['IP'] ?? given['ip'],
          user_agent: given['UserAgent'] ?? given['user_agent'],
        }
      : null
  }
  get Locale(): string {
    return this.locale
  }
  set Locale(value: string) {
    this.locale = value
  }
  get Metadata(): Data {
    return this.metadata
  }
  set Metadata(value: Data) {
    this.metadata = value
  }
  get ChatID(): string {
    return this.chat_id
  }
  set ChatID(value: string) {
    this.chat_id = value
  }
  get AssistantID(): string {
    return this.assistant_id
  }
  set AssistantID(value: string) {
    this.assistant_id = value
  }

  get memory(): unknown {
    return once(this, 'memory', this, () => {
      const spaces: Data = {}
      for (const space of ['user', 'team', 'chat', 'context']) {
        spaces[space] = makeSpace({ space, id: space }, (op, args) => ask('memory', [this.chat_id, space, op, ...args]))
      }
      return spaces
    })
  }
  get agent(): unknown {
    return once(this, 'agent', this, () => agentCalls(this))
  }
  get mcp(): unknown {
    return once(this, 'mcp', this, () => toolServers(this))
  }
  get trace(): unknown {
    return once(this, 'trace', this, makeTrace)
  }

  Send(message: unknown, blockId?: unknown): string {
    return say(this, 'send', message, { block_id: blockId })
  }
  SendStream(message: unknown, blockId?: unknown): string {
    return say(this, 'stream', message, { block_id: blockId })
  }
  Append(messageId: string, content: unknown, path?: string): string {
    return say(this, 'append', content, { message_id: messageId, path })
  }
  Replace(messageId: string, message: unknown): string {
    return say(this, 'replace', message, { message_id: messageId })
  }
  Merge(messageId: string, data: unknown, path?: string): string {
    return say(this, 'merge', data, { message_id: messageId, path })
  }
  Set(messageId: string, data: unknown, path?: string): string {
    return say(this, 'set', data, { message_id: messageId, path })
  }
  End(messageId: string, content?: unknown): string {
    return say(this, 'end', content, { message_id: messageId })
  }
  EndBlock(blockId: string): void {
    say(this, 'end_block', undefined, { block_id: blockId })
  }
  MessageID(): string {
    return nextId(this, 'M')
  }
  BlockID(): string {
    return nextId(this, 'B')
  }
  ThreadID(): string {
    return nextId(this, 'T')
  }
  Release(): void {}
}

export function makeContext(data: unknown): unknown {
  return typeof data === 'object' && data !== null && !isContext(data) ? new Context(data as Data) : data
}

function person(context: Context, alias: 'User' | 'Team'): unknown {
  const authorized = context.authorized
  const key = PLAIN_ID_KEYS[alias]
  if (!authorized || authorized[key] === null || authorized[key] === undefined) return null
  return once(context, alias, authorized, () => {
    let name: unknown
    const view = Object.defineProperties(
      {},
      {
        ID: {
          enumerable: true,
          get: () => authorized[key],
          set: (value: unknown) => {
            authorized[key] = value
          },
        },
        Name: {
          enumerable: true,
          get: () => name,
          set: (value: unknown) => {
            name = value
          },
        },
      },
    )
    return view
  })
}

function setPerson(context: Context, alias: 'User' | 'Team', value: unknown): void {
  const key = PLAIN_ID_KEYS[alias]
  const given = value as { ID?: unknown; id?: unknown; Name?: unknown; name?: unknown } | null | undefined
  if (!given) {
    if (context.authorized) context.authorized[key] = null
    return
  }
  context.authorized ??= {}
  context.authorized[key] = given.ID ?? given.id
  const view = person(context, alias) as { Name?: unknown } | null
  if (view) view.Name = given.Name ?? given.name
}

const CLIENT_KEYS = { Type: 'type', IP: 'ip', UserAgent: 'user_agent' }

function clientView(client: Data): object {
  const view = {}
  for (const [alias, key] of Object.entries(CLIENT_KEYS)) {
    Object.defineProperty(view, alias, {
      enumerable: true,
      get: () => client[key],
      set: (value: unknown) => {
        client[key] = value
      },
    })
  }
  return view
}

interface Kept {
  of: unknown
  part: unknown
}

/** `ctx.User === ctx.User`: a view is created once per piece of data it shows. */
function once(context: Context, name: string, of: unknown, make: () => unknown): unknown {
  const parts = context[PARTS]
  const kept = parts.get(name) as Kept | undefined
  if (kept && kept.of === of) return kept.part
  const part = make()
  parts.set(name, { of, part })
  return part
}

function nextId(context: Context, prefix: string): string {
  const parts = context[PARTS]
  const next = ((parts.get(prefix) as number | undefined) ?? 0) + 1
  parts.set(prefix, next)
  return `${prefix}${next}`
}

/** What goes to the client. Each message with its id; text is the short form of a text message. */
function say(context: Context, action: string, message: unknown, more: Data): string {
  const shaped =
    typeof message === 'string' && (action === 'send' || action === 'stream') ? textMessage(message) : message
  const own = (shaped as { message_id?: unknown } | null | undefined)?.message_id
  const given = more['message_id'] ?? own
  const id = typeof given === 'string' ? given : action === 'end_block' ? '' : context.MessageID()
  send({ k: 'send', message: plain({ action, ...more, message_id: id, message: shaped, chat_id: context.chat_id }) })
  return id
}

function textMessage(content: string): Data {
  return { type: 'text', props: { content } }
}

function agentCalls(context: Context): Data {
  const call = (agent: unknown, messages?: unknown, options?: unknown): unknown => {
    const given = typeof agent === 'object' && agent !== null ? agent : { agent, messages, options }
    return callProcess('agent.Call', given, context)
  }
  const each = (requests: unknown): unknown[] => (Array.isArray(requests) ? requests : []).map((item) => call(item))
  const first = (requests: unknown): unknown => {
    let problem: unknown = new Error('no agent was given')
    for (const item of Array.isArray(requests) ? requests : []) {
      try {
        return call(item)
      } catch (error) {
        problem = error
      }
    }
    throw problem
  }
  return { Call: call, call, All: each, all: each, Any: first, any: first, Race: first, race: first }
}

const TOOL_SERVER_CALLS = [
  'ListResources',
  'ReadResource',
  'ListTools',
  'CallTool',
  'CallTools',
  'CallToolsParallel',
  'ListPrompts',
  'GetPrompt',
  'ListSamples',
  'GetSample',
]

function toolServers(context: Context): Data {
  const calls: Data = {}
  for (const name of TOOL_SERVER_CALLS) {
    calls[name] = (...args: unknown[]): unknown => {
      const mock = findMock(`mcp.${name}`) ?? findMock(`ctx.mcp.${name}`)
      return mock === undefined
        ? ask('process', [`ctx.mcp.${name}`, context, ...args])
        : callMock(`mcp.${name}`, mock, args)
    }
    calls[`${name[0]?.toLowerCase()}${name.slice(1)}`] = calls[name]
  }
  return calls
}

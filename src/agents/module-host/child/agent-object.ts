// Agents that a module exports as the objects that SDKs make: recognised by their own marks, called by their own methods.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isRecord } from '../../../base/record.js'
import { UserError } from '../../../errors.js'
import type { AgentMessage } from '../../../model/message.js'
import { toAgentInput } from '../../sdk-messages/to-agent-input.js'
import { toLangChain } from '../../sdk-messages/to-lang-chain.js'
import { toModelMessages } from '../../sdk-messages/to-model-messages.js'
import type { ModuleExport } from '../protocol.js'
import type { AgentFunction } from './run-call.js'

type Fields = Record<string, unknown>

interface Asked {
  messages: AgentMessage[]
  context: { chat_id?: string }
  options: { signal: AbortSignal; history?: unknown[] }
  /** The module, beside which its packages are. */
  file: string
}

interface Kind {
  isOne(value: Fields): boolean
  call(agent: Fields, asked: Asked): unknown
}

const METHODS = ['generate', 'stream', 'invoke', 'run']

const KINDS: readonly Kind[] = [
  {
    // AI SDK: ToolLoopAgent, and whatever else implements its interface.
    isOne: ({ version }) => typeof version === 'string' && version.startsWith('agent-v'),
    call: (agent, { messages, options: { signal, history } }) =>
      method(agent, 'generate')({ messages: toModelMessages(messages, history), abortSignal: signal }),
  },
  {
    // Mastra.
    isOne: (value) => has(value, 'generate') && has(value, 'getInstructions'),
    call: (agent, { messages, options: { signal, history } }) =>
      method(agent, 'generate')(toModelMessages(messages, history), { abortSignal: signal }),
  },
  {
    // A compiled graph of LangGraph, or an agent of LangChain around one.
    isOne: (value) =>
      value['lg_is_pregel'] === true || (isRecord(value['graph']) && value['graph']['lg_is_pregel'] === true),
    call: (agent, { messages, context, options: { signal, history } }) => {
      // The conversation comes whole in every turn: what a checkpointer has kept of it would double it.
      const configurable = { thread_id: `${context.chat_id ?? ''}-${messages.length}` }
      return method(agent, 'invoke')({ messages: toLangChain(messages, history) }, { signal, configurable })
    },
  },
  {
    // A model of LangChain.
    isOne: (value) => value['lc_runnable'] === true && has(value, 'bindTools'),
    call: (agent, { messages, options: { signal, history } }) =>
      method(agent, 'invoke')(toLangChain(messages, history), { signal }),
  },
  {
    // OpenAI Agents: the agent does not run itself.
    isOne: (value) => has(value, 'asTool') && Array.isArray(value['handoffs']),
    async call(agent, { messages, options: { signal, history }, file }) {
      const { run } = await importBeside(file, ['@openai/agents', '@openai/agents-core'])
      if (typeof run !== 'function') throw noRun()
      return (run as (...args: unknown[]) => unknown)(agent, toAgentInput(messages, history), { signal })
    },
  },
]

/** Undefined for anything that has nothing to do with agents. */
export function describeExport(name: string, value: unknown): ModuleExport | undefined {
  if (typeof value === 'function') return { name, kind: 'function' }
  if (!isRecord(value)) return undefined
  if (KINDS.some(({ isOne }) => isOne(value))) return { name, kind: 'agent' }
  const methods = METHODS.filter((each) => has(value, each))
  if (methods.length === 0) return { name, kind: 'other', problem: `is an object without ${orOf(METHODS)}` }
  if (value['lc_runnable'] === true)
    return { name, kind: 'other', problem: 'is a chain of LangChain, which takes whatever its first step takes' }
  // One of the module's own, called like a function.
  if (methods.length === 1) return { name, kind: 'agent' }
  return { name, kind: 'other', problem: `has ${methods.join(' and ')}, but is not an agent of an SDK that Viva knows` }
}

export function functionOf(value: unknown, file: string): AgentFunction {
  if (!isRecord(value)) return value as AgentFunction
  const kind = KINDS.find(({ isOne }) => isOne(value))
  if (kind)
    return (messages, context, options) =>
      kind.call(value, { messages, context: context ?? {}, options, file } as unknown as Asked)
  const own = METHODS.find((each) => has(value, each)) ?? ''
  return (...args) => method(value, own)(...args)
}

function has(value: Fields, name: string): boolean {
  return typeof value[name] === 'function'
}

function method(value: Fields, name: string): (...args: unknown[]) => unknown {
  return (value[name] as (...args: unknown[]) => unknown).bind(value)
}

function orOf(names: string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** The same instance of the package that the module itself imports. */
async function importBeside(file: string, names: string[]): Promise<Fields> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    for (const name of names) {
      const path = join(folder, 'node_modules', name)
      const entry = esmEntry(path)
      if (entry !== undefined) return (await import(pathToFileURL(join(path, entry)).href)) as Fields
    }
    if (dirname(folder) === folder) return {}
  }
}

function esmEntry(folder: string): string | undefined {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Fields
    const { exports } = manifest
    const main = isRecord(exports) ? exports['.'] : undefined
    return targetOf(isRecord(main) ? (main['import'] ?? main['default']) : main) ?? targetOf(manifest['main'])
  } catch {
    return undefined
  }
}

/** Conditions may be nested. */
function targetOf(value: unknown): string | undefined {
  return isRecord(value) ? targetOf(value['default']) : typeof value === 'string' ? value : undefined
}

function noRun(): UserError {
  return new UserError({
    code: 'UNKNOWN_EXPORT',
    message: 'the package @openai/agents, which runs the exported agent, was not found beside the module',
    hint: 'export a function: export const run = (messages, ctx, { history }) => run(agent, toAgentInput(messages, history))',
  })
}

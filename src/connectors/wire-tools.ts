// Tools as vendors take them: names of letters, digits, `_` and `-`, at most 64, and schemas that say what an object has.
// What comes back has the names that were given.
import { createHash } from 'node:crypto'
import type { Connector, ToolSpec } from '../model/connector.js'
import type { Message, ToolCall } from '../model/message.js'
import { isRecord } from '../base/record.js'

/** The connector, which then takes tools by any name. */
export function withWireTools(connector: Connector): Connector {
  return {
    ...connector,
    complete: async (request) => {
      const { messages, tools, read } = toWire(request)
      const completion = await connector.complete({ ...request, messages, ...(tools && { tools }) })
      return { ...completion, tool_calls: read(completion.tool_calls) }
    },
  }
}

interface Sent {
  messages: Message[]
  tools?: ToolSpec[] | undefined
}

/** What is sent, and how the calls that come back are read. */
export function toWire({ messages, tools = [] }: Sent): Sent & { read(calls: ToolCall[]): ToolCall[] } {
  const names = wireNames(tools.map(({ name }) => name))
  const back = new Map([...names].map(([name, wire]) => [wire, name]))
  return {
    messages: messages.map((message) => wireMessage(message, names)),
    tools: tools.length > 0 ? tools.map((tool) => wireTool(tool, names)) : undefined,
    read: (calls) => calls.map((call) => ({ ...call, name: back.get(call.name) ?? call.name })),
  }
}

const LONGEST = 64

/** Each name, and the one under which it is sent. Names that can be sent keep theirs, whatever the others become. */
export function wireNames(names: readonly string[]): Map<string, string> {
  const found = new Map<string, string>(names.filter(isSendable).map((name) => [name, name]))
  const taken = new Set(found.values())
  for (const name of names) {
    if (found.has(name)) continue
    const plain = plainName(name)
    const wire = plain.length <= LONGEST && !taken.has(plain) ? plain : withHash(plain, name)
    taken.add(wire)
    found.set(name, wire)
  }
  return found
}

function isSendable(name: string): boolean {
  return /^[A-Za-z_][\w-]*$/.test(name) && name.length <= LONGEST
}

function plainName(name: string): string {
  const plain = name.replaceAll(/[^\w-]/g, '_')
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`
}

/** The same for the same name, whatever else there is: recordings and caches go by what was sent. */
function withHash(plain: string, name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${plain.slice(0, LONGEST - hash.length - 1)}_${hash}`
}

function wireTool(tool: ToolSpec, names: ReadonlyMap<string, string>): ToolSpec {
  const name = names.get(tool.name) ?? tool.name
  const { input_schema: schema } = tool
  // Vendors refuse an object that does not say what it has.
  const isWhole = isRecord(schema['properties']) && schema['type'] !== undefined
  if (name === tool.name && isWhole) return tool
  return { ...tool, name, input_schema: isWhole ? schema : { type: 'object', properties: {}, ...schema } }
}

/** Calls of earlier answers, of tools that may not be offered any longer, in any spelling. */
function wireMessage(message: Message, names: ReadonlyMap<string, string>): Message {
  const { name, tool_calls: calls, role } = message
  const wireName = (given: unknown): unknown =>
    typeof given !== 'string' ? given : (names.get(given) ?? (isSendable(given) ? given : plainName(given)))
  const isTool = role === 'tool' && wireName(name) !== name
  const written = Array.isArray(calls) ? calls.map((call: unknown) => wireCall(call, wireName)) : calls
  const isCalled = Array.isArray(written) && written.some((call, at) => call !== calls?.[at])
  if (!isTool && !isCalled) return message
  return { ...message, ...(isTool && { name: wireName(name) }), ...(isCalled && { tool_calls: written }) } as Message
}

function wireCall(call: unknown, wireName: (given: unknown) => unknown): unknown {
  if (!isRecord(call)) return call
  const { name, function: inner } = call
  if (isRecord(inner) && wireName(inner['name']) !== inner['name'])
    return { ...call, function: { ...inner, name: wireName(inner['name']) } }
  return wireName(name) === name ? call : { ...call, name: wireName(name) }
}

// Tools that a model is offered and that nobody runs, in their own words or in others.
import type { ToolDescriptions } from '../../../model/agent.js'
import type { ToolSpec } from '../../../model/connector.js'
import type { ToolCall } from '../../../model/message.js'
import { isRecord } from '../../../base/record.js'
import type { Toolbox } from './toolbox.js'

export function offerTools(tools: readonly ToolSpec[], descriptions: ToolDescriptions = {}): Toolbox {
  const names = new Set(tools.map(({ name }) => name))
  return {
    specs: tools.map((tool) => describedTool(tool, descriptions)),
    knows: (name) => names.has(name),
    serverOf: () => undefined,
    call: () => Promise.reject(new Error('a tool that is only offered cannot be called')),
  }
}

/** A call of something else is no call that could be made. */
export function asOffered(toolbox: Toolbox, call: ToolCall): ToolCall {
  return toolbox.knows(call.name) ? call : { ...call, no_such_tool: true }
}

export function describedTool(tool: ToolSpec, descriptions: ToolDescriptions): ToolSpec {
  const other = Object.hasOwn(descriptions, tool.name) ? descriptions[tool.name] : undefined
  if (!other) return tool
  const { description, arguments: args } = other
  return {
    ...tool,
    ...(description !== undefined && { description }),
    ...(args && { input_schema: describedArguments(tool.input_schema, args) }),
  }
}

function describedArguments(schema: Record<string, unknown>, args: Record<string, string>): Record<string, unknown> {
  const { properties } = schema
  if (!isRecord(properties)) return schema
  const described = Object.entries(properties).map(([name, property]) => [
    name,
    Object.hasOwn(args, name) && isRecord(property) ? { ...property, description: args[name] } : property,
  ])
  return { ...schema, properties: Object.fromEntries(described) as Record<string, unknown> }
}

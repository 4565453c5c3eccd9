// Tools that a model is offered and that nobody runs, in their own words or in others.
import type { ToolDescriptions } from '../../../model/agent.js'
import type { ToolSpec } from '../../../model/connector.js'
import type { ToolCall } from '../../../model/message.js'
import { isRecord } from '../../../base/record.js'
import { suggest } from '../../../base/suggest.js'
import { listed } from '../../../base/text.js'
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

function describedTool(tool: ToolSpec, descriptions: ToolDescriptions): ToolSpec {
  const other = Object.hasOwn(descriptions, tool.name) ? descriptions[tool.name] : undefined
  if (!other) return tool
  const { description, arguments: args } = other
  return {
    ...tool,
    ...(description !== undefined && { description }),
    ...(args && { input_schema: describedArguments(tool.input_schema, args) }),
  }
}

/** What is wrong with other words for these tools: a tool that is not there, or nothing that would change. */
export function descriptionMistake(
  descriptions: ToolDescriptions = {},
  tools: readonly ToolSpec[],
): string | undefined {
  const names = tools.map(({ name }) => name)
  for (const [name, other] of Object.entries(descriptions)) {
    const tool = tools.find((each) => each.name === name)
    if (!tool) return `there is no tool "${name}"${hintOf(name, names)}`
    const mistake = unchanged(tool, other)
    if (mistake !== undefined) return mistake
  }
  return undefined
}

function unchanged(
  { name, description, input_schema }: ToolSpec,
  { description: other, arguments: args = {} }: ToolDescriptions[string],
): string | undefined {
  if (other !== undefined && other === description) return `the description of "${name}" is the one it has`
  const properties = isRecord(input_schema['properties']) ? input_schema['properties'] : {}
  for (const [argument, text] of Object.entries(args)) {
    const property = Object.hasOwn(properties, argument) ? properties[argument] : undefined
    if (!isRecord(property))
      return `"${name}" has no argument "${argument}"${hintOf(argument, Object.keys(properties))}`
    if (property['description'] === text) return `the description of "${argument}" of "${name}" is the one it has`
  }
  return undefined
}

function hintOf(name: string, known: string[]): string {
  const near = suggest(name, known)
  if (near !== undefined) return `; did you mean "${near}"?`
  return known.length === 0 ? '' : `; there are ${listed(known, 20)}`
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

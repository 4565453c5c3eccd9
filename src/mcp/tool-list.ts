// The tools as clients are told of them: schemas that every client can read, with what answers carry beside the result.
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { isRecord } from '../base/record.js'
import type { Tool } from '../tools/define-tool.js'
import { toolJsonSchemas } from '../tools/json-schema.js'

type Schema = Record<string, unknown>

export async function listTools(tools: readonly Tool[]): Promise<ListedTool[]> {
  const listed: ListedTool[] = []
  for (const tool of tools) {
    const { input, output } = await toolJsonSchemas(tool)
    listed.push({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: { ...input, type: 'object' },
      outputSchema: outputSchema(output),
      annotations: {
        readOnlyHint: tool.annotations.readOnly,
        destructiveHint: tool.annotations.destructive,
        idempotentHint: tool.annotations.idempotent,
        openWorldHint: tool.annotations.openWorld,
      },
    })
  }
  return listed
}

const NOTE: Schema = {
  type: 'object',
  properties: { status: { enum: ['complete', 'shortened', 'running'] }, id: { type: 'string' } },
}
/** How far down the shape of an answer is told: the list must stay small. */
const DEPTH = 2

/** Of what is still running there is no more than the note: nothing else is required. */
function outputSchema(output: Schema): ListedTool['outputSchema'] {
  const { properties, ...schema } = outline(output, DEPTH)
  return { ...schema, type: 'object', properties: { answer: NOTE, ...(properties as object) }, required: ['answer'] }
}

/** Without what only explains: whoever reads a result sees what it is. */
function outline(schema: Schema, depth: number): Schema {
  const { description: _description, required: _required, properties, items, ...rest } = schema
  return {
    ...(Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, below(value, depth)])) as Schema),
    ...(isRecord(properties) && depth > 0 && { properties: mapValues(properties, (each) => below(each, depth - 1)) }),
    ...(isRecord(items) && { items: below(items, depth) }),
  }
}

function mapValues(properties: Schema, change: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, change(value)]))
}

function below(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((each) => below(each, depth))
  return isRecord(value) ? outline(value, depth) : value
}

// The tools as presented to clients: schemas that every client can read, with what answers carry beside the result.
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { isRecord } from '../base/record.js'
import type { Tool } from '../tools/define-tool.js'
import { toolJsonSchemas } from '../tools/json-schema.js'

type Schema = Record<string, unknown>

/** Clients put the whole list in front of their model. */
const MOST_BYTES = 30_000

/** How deep schemas go, and how deep with descriptions. Anything deeper is still checked when a tool is called. */
interface Detail {
  output: number
  input: number
  words: number
  /** If several parameters have the same description, only the first carries it. */
  once?: true
}

const DETAILS: Detail[] = [
  { output: 3, input: 9, words: 9 },
  { output: 2, input: 9, words: 9 },
  { output: 1, input: 9, words: 9 },
  { output: 1, input: 9, words: 1 },
  { output: 1, input: 2, words: 1, once: true },
  { output: 1, input: 1, words: 1, once: true },
  { output: 0, input: 1, words: 1, once: true },
]

/** With as much detail as there is room for. */
export async function listTools(tools: readonly Tool[]): Promise<ListedTool[]> {
  let listed: ListedTool[] = []
  for (const detail of DETAILS) {
    listed = []
    for (const tool of tools) listed.push(await listTool(tool, detail))
    if (detail.once) tellOnce(listed)
    if (Buffer.byteLength(JSON.stringify(listed)) <= MOST_BYTES) break
  }
  return listed
}

async function listTool(tool: Tool, detail: Detail): Promise<ListedTool> {
  const { input, output } = await toolJsonSchemas(tool)
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { ...outline(input, detail.input, detail.words), type: 'object' },
    outputSchema: outputSchema(output, detail.output),
    annotations: {
      readOnlyHint: tool.annotations.readOnly,
      destructiveHint: tool.annotations.destructive,
      idempotentHint: tool.annotations.idempotent,
      openWorldHint: tool.annotations.openWorld,
    },
  }
}

const NOTE: Schema = { type: 'object' }

function tellOnce(tools: ListedTool[]): void {
  const told = new Set<unknown>()
  for (const { inputSchema } of tools)
    for (const property of Object.values(inputSchema.properties ?? {})) {
      const { description } = property as Schema
      if (told.has(description)) delete (property as Schema)['description']
      told.add(description)
    }
}

/** While it is still running there is only the note: nothing else is required. */
function outputSchema(output: Schema, depth: number): ListedTool['outputSchema'] {
  const { properties: told, ...schema } = outline(output, depth, 0)
  const properties = depth === 1 && isRecord(told) ? mapValues(told, typeOf) : told
  return { ...schema, type: 'object', properties: { answer: NOTE, ...(properties as object) }, required: ['answer'] }
}

function typeOf(schema: unknown): unknown {
  return isRecord(schema) && schema['type'] !== undefined ? { type: schema['type'] } : {}
}

function outline(schema: Schema, depth: number, words: number): Schema {
  const { description, properties, required, additionalProperties, propertyNames: _names, ...rest } = schema
  const below = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(below) : isRecord(value) ? outline(value, depth, words) : value
  const inside = (value: unknown): unknown => (isRecord(value) ? outline(value, depth - 1, words - 1) : value)
  return {
    ...mapValues(rest, below),
    ...(words >= 0 && description !== undefined && { description }),
    // Below that, anything goes: half a list of properties would refuse what the tool accepts.
    ...(depth > 0 && {
      ...(isRecord(properties) && { properties: mapValues(properties, inside) }),
      ...(required !== undefined && { required }),
      ...(isTelling(additionalProperties) && { additionalProperties: inside(additionalProperties) }),
    }),
  }
}

function isTelling(additionalProperties: unknown): boolean {
  return (
    additionalProperties === false || (isRecord(additionalProperties) && Object.keys(additionalProperties).length > 0)
  )
}

function mapValues(record: Schema, change: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

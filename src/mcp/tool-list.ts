// The tools as presented to clients. Clients put the whole list in front of their model, so it says everything once and
// nothing that only a check needs: a tool checks its arguments itself.
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { isRecord } from '../base/record.js'
import type { Tool } from '../tools/define-tool.js'
import { toolJsonSchemas } from '../tools/json-schema.js'

type Schema = Record<string, unknown>

export async function listTools(tools: readonly Tool[]): Promise<ListedTool[]> {
  const listed: ListedTool[] = []
  const said = new Set<unknown>()
  for (const tool of tools) {
    const { input } = await toolJsonSchemas(tool)
    listed.push({
      name: tool.name,
      description: tool.description,
      inputSchema: { ...compact(input, said), type: 'object', additionalProperties: false },
      ...hintsOf(tool),
    })
  }
  return listed
}

/** Those that differ from what clients assume; two of them mean something only for tools that change something. */
function hintsOf({ annotations: given }: Tool): Pick<ListedTool, 'annotations'> {
  const { readOnly, destructive, idempotent, openWorld } = given
  const changes = { ...(!destructive && { destructiveHint: false }), ...(idempotent && { idempotentHint: true }) }
  const annotations = { ...(readOnly ? { readOnlyHint: true } : changes), ...(!openWorld && { openWorldHint: false }) }
  return Object.keys(annotations).length === 0 ? {} : { annotations }
}

/** Limits that messages of errors name, and whether other keys are allowed. */
const LEFT_OUT = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'propertyNames',
])

/** `said`: descriptions that an earlier parameter carries already. */
function compact(schema: Schema, said: Set<unknown>): Schema {
  const { description, ...rest } = schema
  const isNew = description !== undefined && !said.has(description)
  said.add(description)
  const entries = Object.entries(rest).flatMap(([key, value]): Array<[string, unknown]> => {
    if (LEFT_OUT.has(key) || (key === 'type' && 'enum' in rest)) return []
    if (key === 'additionalProperties') return isTelling(value) ? [[key, below(value, said)]] : []
    if (key === 'required' && Array.isArray(value) && value.length === 0) return []
    if (key === 'properties' && isRecord(value)) return [[key, mapValues(value, (each) => below(each, said))]]
    if (key === 'anyOf' && Array.isArray(value)) return [[key, below(flat(value), said)]]
    return [[key, below(value, said)]]
  })
  return { ...Object.fromEntries(entries), ...(isNew && { description }) }
}

function below(value: unknown, said: Set<unknown>): unknown {
  if (Array.isArray(value)) return value.map((each) => below(each, said))
  return isRecord(value) ? compact(value, said) : value
}

/** Alternatives among alternatives are just more of them. */
function flat(anyOf: unknown[]): unknown[] {
  return anyOf.flatMap((each) =>
    isRecord(each) && Array.isArray(each['anyOf']) && Object.keys(each).length === 1 ? flat(each['anyOf']) : [each],
  )
}

function isTelling(additionalProperties: unknown): boolean {
  return isRecord(additionalProperties) && Object.keys(additionalProperties).length > 0
}

function mapValues(record: Schema, change: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

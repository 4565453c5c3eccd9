// The schemas of a tool as JSON Schema, complete: no references, and an object at the top, as tool clients want them.
import type * as v from 'valibot'
import type { Tool } from './define-tool.js'
import { SHAPE_SCHEMAS } from './shape-schemas.js'
import type { Shaped } from './shaped.js'

export interface ToolJsonSchemas {
  input: Record<string, unknown>
  output: Record<string, unknown>
}

export async function toolJsonSchemas({ input, output }: Pick<Tool, 'input' | 'output'>): Promise<ToolJsonSchemas> {
  const { toJsonSchema } = await import('@valibot/to-json-schema')
  const convert = (schema: v.GenericSchema, isClosed: boolean): Record<string, unknown> => {
    const { $schema: _dialect, ...converted } = toJsonSchema(schema, {
      target: 'draft-2020-12',
      errorMode: 'ignore', // rules that JSON Schema cannot express are checked when the tool is called
      overrideSchema: ({ valibotSchema, jsonSchema }) => {
        const { shape } = valibotSchema as Shaped
        if (shape) return SHAPE_SCHEMAS[shape]()
        return isClosed && valibotSchema.type === 'object' ? { ...jsonSchema, additionalProperties: false } : undefined
      },
    })
    return converted
  }
  return { input: convert(input, true), output: convert(output, false) }
}

// A tool among others, with its parameter types hidden.
import type * as v from 'valibot'
import type { Tool, ToolSpec } from '../../tools/define-tool.js'

export function asTool<I extends v.GenericSchema, O extends v.GenericSchema>(spec: ToolSpec<I, O>): Tool {
  return spec as unknown as Tool
}

// The shape of a tool: one function with one schema, whatever calls it – a program, a shell, an agent.
import type * as v from 'valibot'
import type { ToolContext } from './context.js'

/** What a caller can rely on, in MCP's terms. */
export interface ToolAnnotations {
  /** Changes nothing. */
  readOnly: boolean
  /** Removes or replaces what was there. */
  destructive: boolean
  /** The same call again changes nothing more. */
  idempotent: boolean
  /** May reach beyond this machine: a real backend, a real judge. */
  openWorld: boolean
}

export interface ToolSpec<Input extends v.GenericSchema, Output extends v.GenericSchema> {
  name: string
  title: string
  /** For choosing among tools. */
  description: string
  /** Built from `model/case-schema-base.ts`: unknown keys are refused at every level. */
  input: Input
  output: Output
  annotations: ToolAnnotations
  /** Whether the arguments alone ask for a real backend. What a configuration or a cassette names shows later: see `requireLive`. */
  isLive(input: v.InferOutput<Input>): boolean
  /** Whether what was checked holds; absent for tools that check nothing. */
  holds?(output: v.InferOutput<Output>): boolean
  /** Throws a UserError for what the caller can fix. */
  handler(input: v.InferOutput<Input>, context: ToolContext): Promise<v.InferOutput<Output>>
}

/** As the registry holds it. */
export interface Tool {
  name: string
  title: string
  description: string
  input: v.GenericSchema
  output: v.GenericSchema
  annotations: ToolAnnotations
  isLive(input: unknown): boolean
  holds?(output: unknown): boolean
  handler(input: unknown, context: ToolContext): Promise<Record<string, unknown>>
}

export function defineTool<const Name extends string, Input extends v.GenericSchema, Output extends v.GenericSchema>(
  spec: ToolSpec<Input, Output> & { name: Name },
): ToolSpec<Input, Output> & { name: Name } {
  return spec
}

// A tool as a model sees it.

export interface ToolSpec {
  /** The name the model sees, e.g. `server__tool`. */
  name: string
  description?: string
  /** JSON Schema of the arguments. */
  input_schema: Record<string, unknown>
}

// `import { tools } from "viva"`: each tool as a function, in a context that is opened and closed, or created for one call.
import type * as v from 'valibot'
import { requireKnownOptions } from '../run/require-arguments.js'
import type { CallOptions, OpenToolsInit } from './open-tools.js'
import type { TOOL_LIST } from './registry.js'

type Definitions = { [Each in (typeof TOOL_LIST)[number] as Each['name']]: Each }

/** Each takes its parameters and returns its answer; mistakes are thrown as a UserError. */
export type ToolFunctions = {
  [Name in keyof Definitions]: (
    input: v.InferInput<Definitions[Name]['input']>,
    options?: CallOptions,
  ) => Promise<v.InferOutput<Definitions[Name]['output']>>
}

export interface TestTools extends ToolFunctions {
  /** Ends what is still running. Workspaces stay. */
  close(): Promise<void>
}

export const tools = { open }

const KEYS = {
  project: true,
  env: true,
  temporary: true,
  allow_live: true,
  clock: true,
  warn: true,
} satisfies Record<keyof OpenToolsInit, true>

/** Loaded only when it is used. */
async function open(init: OpenToolsInit = {}): Promise<TestTools> {
  requireKnownOptions(init, KEYS, 'tools.open')
  const { openTools } = await import('./open-tools.js')
  const opened = await openTools(init)
  const functions = opened.tools.map(({ name }) => [
    name,
    (input: unknown, options?: CallOptions) => opened.call(name, input, options),
  ])
  return { ...(Object.fromEntries(functions) as ToolFunctions), close: () => opened.close() }
}

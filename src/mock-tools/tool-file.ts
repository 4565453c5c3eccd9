// A file of tools, as a case names it: a module with functions and a store, or YAML or JSON with fixed answers.
import type { ToolOutcome } from '../model/given-tools.js'
import type { ToolSpec } from '../model/connector.js'

export interface ToolFile {
  /** Absolute. */
  path: string
  specs: ToolSpec[]
  /** Fixed answers by tool; absent: it is a module. */
  answers?: ReadonlyMap<string, ToolOutcome>
  hasStore: boolean
}

export function isToolModule(path: string): boolean {
  return /\.[cm]?[jt]s$/i.test(path)
}

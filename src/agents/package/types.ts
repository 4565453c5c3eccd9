// What a loaded agent package is made of.
import type { ServerRef, ToolServer } from './tools/tool-server.js'
import type { Locales } from './locales.js'

export interface Prompt {
  role: string
  content: string
  name?: string
}

export interface HookFile {
  file: string
  create: boolean
  next: boolean
}

export interface AgentPackage {
  id: string
  /** Absolute path of the agent's folder. */
  dir: string
  appRoot: string
  name: string
  description?: string
  connector?: string
  /** temperature, response_format, …: the parameters for the model. */
  options: Record<string, unknown>
  globalPrompts: Prompt[]
  prompts: Prompt[]
  presets: Map<string, Prompt[]>
  disableGlobalPrompts: boolean
  /** The model is told nothing but the prompts: what a case asks comes in as metadata. */
  promptsOnly?: boolean
  defaultMode?: string
  locales: Locales
  servers: ServerRef[]
  toolLoop: boolean
  maxTurn: number
  hooks?: HookFile
  /** The server behind an id, as `mcp.servers` and the Create hook write it. */
  findServer(id: string): Promise<ToolServer | undefined>
}

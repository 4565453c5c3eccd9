// What an agent has, as far as anything says so: the sources fill it in, the kinds read it.
import { defined } from '../../base/defined.js'
import { parseToolName } from '../../agents/package/tools/tool-names.js'
import { argumentsOf, MOST_ARGUMENTS, type Argument, type Schema } from './schema-places.js'

export interface Surface {
  /** Where it comes from, for people; empty: nothing says what the agent has. */
  from: string[]
  /** What could not be found out, and what would help. */
  notes: string[]
  /** Servers whose tools nothing has listed: the surface has more than this. */
  unlisted: string[]
  tools?: SurfaceTool[]
  /** By kind; absent: not known. */
  lists: Partial<Record<ListedKind, string[]>>
  /** What is said about what is listed, for whoever writes cases: by `aboutKey`. */
  about: Map<string, Record<string, unknown>>
}

export function aboutKey(kind: ListedKind, name: string): string {
  return `${kind} ${name}`
}

export const LISTED_KINDS = [
  'hooks',
  'delegations',
  'presets',
  'locales',
  'skills',
  'endings',
  'hats',
  'topics',
  'transitions',
] as const

export type ListedKind = (typeof LISTED_KINDS)[number]

export interface SurfaceTool {
  name: string
  description?: string
  /** Absent: not known. */
  arguments?: Argument[]
}

/** As servers and packages list them. */
export interface ListedTool {
  name: string
  description?: string
  /** JSON Schema of its arguments. */
  input_schema?: Schema
}

export function emptySurface(): Surface {
  return { from: [], notes: [], unlisted: [], lists: {}, about: new Map() }
}

/** Later ones add tools; of one name the first that has a schema is kept. */
export function addTools(surface: Surface, tools: readonly ListedTool[]): void {
  const known = new Map((surface.tools ?? []).map((tool) => [tool.name, tool]))
  for (const { name, description, input_schema } of tools) {
    if (known.get(name)?.arguments !== undefined) continue
    const all = input_schema && argumentsOf(input_schema)
    known.set(name, { name, ...defined({ description, arguments: all }) })
    if (all && all.length >= MOST_ARGUMENTS)
      surface.notes.push(`${name} has many arguments: only the first ${MOST_ARGUMENTS} are listed`)
  }
  surface.tools = [...known.values()]
}

/** The tool that a call is meant for, by the names that agents give to the same tool; undefined if none is, or two might be. */
export function toolFinder(tools: readonly SurfaceTool[]): (name: string, server?: string) => SurfaceTool | undefined {
  const exact = new Map(tools.map((tool) => [tool.name, tool]))
  const bare = new Map<string, SurfaceTool | undefined>()
  for (const tool of tools) {
    const key = plain(bareName(tool.name))
    bare.set(key, bare.has(key) ? undefined : tool)
  }
  return (name, server) => {
    const found =
      exact.get(name) ?? (server === undefined ? undefined : exact.get(`${server.replaceAll('.', '_')}__${name}`))
    if (found) return found
    const near = bare.get(plain(bareName(name)))
    // `orders__find` is not the `find` of another server.
    return near && (bareName(near.name) === near.name || bareName(name) === name) ? near : undefined
  }
}

/** `mcp__stock__count` and `stock__count` are `count`. */
function bareName(name: string): string {
  return /^mcp__.+?__(.+)$/.exec(name)?.[1] ?? parseToolName(name)?.tool ?? name
}

/** `getOrder`, `get_order` and `get-order` are one tool. */
function plain(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}

// Everything that says what an agent has: its package or hats, servers, an OpenAPI file, the configuration.
import { existsSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { findAgentDir, listAgentIds } from '../../../agents/resolve-id.js'
import { isTarget, packageFolder } from '../../../agents/resolve-target.js'
import { suggest } from '../../../base/suggest.js'
import { listed } from '../../../base/text.js'
import { UserError } from '../../../errors.js'
import type { VivaConfig } from '../../../model/config.js'
import type { StartEvent } from '../../../model/event.js'
import { addTools, emptySurface, type Surface, type ListedTool } from '../surface.js'
import { addConfigured } from './from-config.js'
import { addLoop } from './from-loop.js'
import { operationsOf } from './from-openapi.js'
import type { RemoteServer } from '../../../mcp-client/server.js'
import { addPackage } from './from-package.js'
import { skillsIn } from './skill-folders.js'

export interface SurfaceInit {
  start: StartEvent
  /** `-n`: the agent, if not as the run names it. */
  name?: string | undefined
  cwd: string
  appRoot: string
  config: VivaConfig
  openapi: readonly string[]
  /** Tools of servers that were listed for this. */
  listed: ReadonlyArray<{ label: string; tools: ListedTool[] }>
  listTools?: ((server: RemoteServer) => Promise<ListedTool[]>) | undefined
}

export async function findSurface(init: SurfaceInit): Promise<Surface> {
  const surface = emptySurface()
  const { config, openapi } = init
  const { dir, loop, missing } = placeOf(init)
  if (dir !== undefined) {
    const { cwd, listTools } = init
    await addPackage(surface, { dir, cwd, without: config.testing?.without, listTools })
  }
  if (loop !== undefined) addLoop(surface, loop.file, loop.label)
  if (missing !== undefined) surface.notes.push(missing)
  const taken = new Set<string>()
  for (const { label, tools } of init.listed) {
    addTools(surface, distinct(tools, label, taken, surface))
    surface.from.push(`the MCP server ${label}`)
  }
  for (const path of openapi) {
    addTools(surface, distinct(await operationsOf(path), path, taken, surface))
    surface.from.push(`the OpenAPI file ${path}`)
  }
  if (dir === undefined && loop === undefined) addSkills(surface, init)
  if (config.surface) addConfigured(surface, config.surface)
  return surface
}

/** Calls do not say which of two servers they went to: the second tool of a name must not count as called with the first. */
function distinct(tools: ListedTool[], label: string, taken: Set<string>, surface: Surface): ListedTool[] {
  const twice = tools.filter(({ name }) => taken.has(name)).map(({ name }) => name)
  if (twice.length > 0)
    surface.notes.push(
      `${listed(twice, 5)} of ${label} ${twice.length === 1 ? 'has the name of a tool' : 'have the names of tools'} listed before: calls count for that one`,
    )
  const own = tools.map((tool) => (taken.has(tool.name) ? { ...tool, name: `${tool.name} (${label})` } : tool))
  for (const { name } of tools) taken.add(name)
  return own
}

interface AgentPlace {
  dir?: string
  loop?: { file: string; label: string }
  missing?: string
}

const LOOP = 'orchestrator:'

function placeOf({ start, name, cwd, appRoot, config }: SurfaceInit): AgentPlace {
  const given = name ?? start.agent_id
  const entry = config.agents?.[given]
  const target = (typeof entry === 'string' ? entry : entry?.target) ?? given
  const base = entry === undefined ? (name === undefined ? startedIn(start, cwd) : cwd) : appRoot
  if (target.startsWith(LOOP)) {
    const path = target.slice(LOOP.length)
    const file = path === '' ? '' : resolve(base, path)
    if (file === '' || existsSync(file)) return { loop: { file, label: path } }
    return { missing: `the configuration ${path} is not here: give it with -n ${LOOP}FILE` }
  }
  const dir = isTarget(target)
    ? packageFolder(target, base)
    : findAgentDir(appRoot, target.replace(/^assistants\./, ''))
  if (dir !== undefined) return { dir }
  if (name !== undefined && !isTarget(target)) throw unknownAgent(name, appRoot)
  const path = name === undefined ? start.agent_path : undefined
  if (path === undefined) return {}
  if (existsSync(join(path, 'package.yao'))) return { dir: path }
  return isAbsolute(path) && !existsSync(path)
    ? { missing: `the agent's folder ${relative(cwd, path)} is gone: name its package with -n` }
    : {}
}

function unknownAgent(name: string, appRoot: string): UserError {
  const known = listAgentIds(appRoot)
  const near = suggest(name, known)
  return new UserError({
    code: 'UNKNOWN_AGENT',
    message: `no agent called "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
    hint: known.length > 0 ? `agents here: ${listed(known, 20)}` : 'give the folder of a package, or another target',
  })
}

function startedIn({ options }: StartEvent, cwd: string): string {
  const recorded = options['cwd']
  return typeof recorded === 'string' && existsSync(recorded) ? recorded : cwd
}

/** Coding agents find skills where they are started. */
function addSkills(surface: Surface, { start, cwd }: SurfaceInit): void {
  const skills = skillsIn(startedIn(start, cwd))
  if (skills.length === 0) return
  surface.lists.skills = skills
  surface.from.push('the skills of the project')
}

// The surface of an agent package: its folder says nearly all of it.
import { findScriptCalls } from '../../../agents/package/load/find-script-calls.js'
import { loadPackage } from '../../../agents/package/load/load.js'
import { messagesFor, translate, type Locales, type Messages } from '../../../agents/package/locales.js'
import { formatToolName } from '../../../agents/package/tools/tool-names.js'
import type { ServerRef } from '../../../agents/package/tools/tool-server.js'
import type { AgentPackage } from '../../../agents/package/types.js'
import { agentIdOf, findAgentDir } from '../../../agents/resolve-id.js'
import { findAppRoot } from '../../../files/app-root.js'
import { defined } from '../../../base/defined.js'
import { OWN_PROMPTS } from '../kinds/presets.js'
import { aboutKey, addTools, type Surface, type ListedTool } from '../surface.js'
import type { RemoteServer } from '../../../mcp-client/server.js'
import { skillsIn } from './skill-folders.js'

export interface PackageSource {
  dir: string
  cwd: string
  /** `testing.without` of the configuration. */
  without?: readonly string[] | undefined
  /** Starts a server and lists its tools; absent: servers are not started. */
  listTools?: ((server: RemoteServer) => Promise<ListedTool[]>) | undefined
}

export async function addPackage(surface: Surface, { dir, cwd, without, listTools }: PackageSource): Promise<void> {
  const appRoot = findAppRoot(dir, cwd)
  const pkg = await loadPackage({
    id: agentIdOf(dir),
    dir,
    appRoot,
    agentDir: (id) => findAgentDir(appRoot, id),
    ...defined({ without }),
  })
  surface.from.push(`the package ${pkg.id}`)
  for (const ref of pkg.servers) await addServer(surface, pkg, ref, listTools)
  const { lists } = surface
  lists.hooks = [...(pkg.hooks?.create ? ['Create'] : []), ...(pkg.hooks?.next ? ['Next'] : [])]
  if (pkg.presets.size > 0) lists.presets = [...(pkg.prompts.length > 0 ? [OWN_PROMPTS] : []), ...pkg.presets.keys()]
  if (pkg.locales.size > 0) lists.locales = wholeCodes(pkg.locales)
  const skills = skillsIn(dir)
  if (skills.length > 0) lists.skills = skills
  if (!pkg.hooks) return
  const { delegates, isPartial, callsTools } = await findScriptCalls(dir)
  if (delegates.length > 0 || !isPartial) lists.delegations = delegates
  for (const id of delegates) {
    const about = await descriptionOf(id, appRoot)
    if (about !== undefined) surface.about.set(aboutKey('delegations', id), { description: about })
  }
  if (isPartial) surface.notes.push('some delegations are computed: only those that the scripts write out are listed')
  if (callsTools)
    surface.notes.push(
      'calls that scripts make themselves (ctx.mcp) are not recorded: a tool listed as never called may be called there',
    )
}

async function addServer(
  surface: Surface,
  pkg: AgentPackage,
  ref: ServerRef,
  listTools: PackageSource['listTools'],
): Promise<void> {
  const { server_id, tools: chosen } = ref
  const server = await pkg.findServer(server_id)
  if (!server) return
  const listed = server.transport === 'process' ? server.tools : await listTools?.(server)
  const named = (tool: ListedTool): ListedTool => ({
    name: formatToolName(server_id, tool.name),
    ...defined({ description: tool.description, input_schema: tool.input_schema }),
  })
  if (listed) return addTools(surface, listed.filter(({ name }) => chosen?.includes(name) ?? true).map(named))
  addTools(
    surface,
    (chosen ?? []).map((name) => named({ name })),
  )
  if (!chosen) surface.unlisted.push(server_id)
  surface.notes.push(
    `the tool server ${server_id} was not started: ${chosen ? 'the arguments of its tools are' : 'what it has is'} not known (--start-servers)`,
  )
}

/** Of the other package, as it says it itself; undefined if it cannot be read: that is not what is examined here. */
async function descriptionOf(id: string, appRoot: string): Promise<string | undefined> {
  const dir = findAgentDir(appRoot, id)
  if (dir === undefined) return undefined
  const agentDir = (other: string): string | undefined => findAgentDir(appRoot, other)
  const other = await loadPackage({ id, dir, appRoot, agentDir }).catch(() => undefined)
  return other && translate(other.description ?? other.name, messagesFor('', other.locales))
}

/** Without the short codes that packages add: `en-us` is known as `en` and `us`, too. */
function wholeCodes(locales: Locales): string[] {
  const seen = new Set<Messages>()
  return [...locales].flatMap(([code, messages]) => {
    if (seen.has(messages)) return []
    seen.add(messages)
    return [code]
  })
}

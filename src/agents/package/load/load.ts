// Reads an agent package: package.yao, prompts, presets, locales, tool servers, hooks. All problems are reported together.
import { existsSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { UserError, type Problem } from '../../../errors.js'
import { defined } from '../../../base/defined.js'
import { FEATURES } from '../../../model/without.js'
import { findHooks } from './find-hooks.js'
import { listFiles } from './folder.js'
import { flattenLocales, type Locales } from '../locales.js'
import { type PackageFields, parsePackage, unmetNeed } from './parse-package.js'
import { isForgone, isOff, type Need } from '../needs.js'
import { loadPresets, loadPrompts } from './prompts.js'
import {
  findServerFile,
  listServerFiles,
  loadServer,
  type ServerRef,
  serverIdOf,
  type ToolServer,
  unknownTools,
} from '../tools/tool-server.js'
import type { AgentPackage } from '../types.js'
import { locateProblems, readYao } from './yao-file.js'
import { readYaml } from './yaml-file.js'

export interface PackageContext {
  id: string
  dir: string
  appRoot: string
  /** The folder of another agent, for `agents.<id>.<server>`. */
  agentDir(id: string): string | undefined
  /** What is odd, but not a mistake. */
  warn?(text: string): void
  /** `testing.without`: what it may need and is tested without. */
  without?: readonly string[]
  onWithout?(feature: string): void
}

export async function loadPackage(context: PackageContext): Promise<AgentPackage> {
  const problems: Problem[] = []
  const file = join(context.dir, 'package.yao')
  const source = await readYao(file, problems)
  const { fields, found, unknown, needs } = parsePackage(source ? source.value : {})
  const prompts = await loadPrompts(context.dir, problems)
  const presets = await loadPresets(context.dir, problems)
  const globalPrompts = await loadPrompts(join(context.appRoot, 'agent'), problems)
  const locales = await loadLocales(context, fields, problems)
  const servers = await loadOwnServers(context, problems)
  const findServer = serverFinder(context, servers)
  const hooks = await findHooks(context, problems)
  const { without = [], onWithout } = context
  const unmet = needs.filter((need) => !isForgone(need, without))
  found.push(...unmet.map(unmetNeed))
  const sandbox = await readSandbox(context, problems)
  if (sandbox && !isForgone(sandbox, without)) {
    unmet.push(sandbox)
    problems.push({ file: join(context.dir, SANDBOX_FILE), line: 1, message: NO_SANDBOX })
  }
  if (source) {
    for (const [index, ref] of fields.servers.entries()) {
      const server = await findServer(ref.server_id, problems)
      const isMissing = server === undefined && !servers.has(ref.server_id)
      const message = isMissing ? unknownServer(ref.server_id, servers) : unknownToolOf(server, ref)
      if (message !== undefined) found.push({ path: ['mcp', 'servers', index], message })
    }
    problems.push(...(await locateProblems(source, found)))
  }
  if (problems.length > 0) throw badPackage(context, problems, unmet)
  for (const { feature } of sandbox ? [...needs, sandbox] : needs) onWithout?.(feature)
  for (const key of unknown) context.warn?.(`${file}: unknown key "${key}", ignored`)
  return {
    id: context.id,
    dir: context.dir,
    appRoot: context.appRoot,
    ...fields,
    prompts: prompts.length > 0 ? prompts : fields.prompts,
    presets: new Map([...fields.presets, ...presets]),
    globalPrompts,
    locales,
    ...defined({ hooks }),
    findServer: async (id) => {
      const late: Problem[] = []
      const server = await findServer(id, late)
      if (late.length > 0) throw badPackage(context, late)
      return server
    },
  }
}

const SANDBOX_FILE = 'sandbox.yao'
const NO_SANDBOX = 'not supported (nothing runs in a sandbox): without it the agent would behave differently'

/** The file means a sandbox unless it is empty. */
async function readSandbox({ dir, without = [] }: PackageContext, problems: Problem[]): Promise<Need | undefined> {
  const file = join(dir, SANDBOX_FILE)
  if (!existsSync(file)) return undefined
  const need = { feature: 'sandbox', path: ['sandbox'] }
  if (isForgone(need, without)) return need
  const source = await readYao(file, problems)
  return source && isOff(source.value) ? undefined : need
}

/** The agent's own over those of package.yao over the application's. */
async function loadLocales(context: PackageContext, fields: PackageFields, problems: Problem[]): Promise<Locales> {
  const global = await readLocales(join(context.appRoot, 'agent', 'locales'), problems)
  const own = { ...fields.locales, ...(await readLocales(join(context.dir, 'locales'), problems)) }
  const merged: Record<string, unknown> = { ...global }
  for (const [code, messages] of Object.entries(own))
    merged[code] = { ...(merged[code] as object | undefined), ...(messages as object) }
  return flattenLocales(merged)
}

async function readLocales(folder: string, problems: Problem[]): Promise<Record<string, unknown>> {
  const result: Record<string, unknown> = {}
  for (const file of listFiles(folder, /\.ya?ml$/)) {
    const source = await readYaml(file, problems)
    if (!source || source.value === null) continue
    if (typeof source.value === 'object' && !Array.isArray(source.value))
      result[
        basename(file)
          .replace(/\.ya?ml$/, '')
          .toLowerCase()
      ] = source.value
    else problems.push({ file, line: 1, message: 'expected translations by name (name: …)' })
  }
  return result
}

/** A server with a broken file is undefined: its problems are reported, and it does not count as missing. */
async function loadOwnServers(context: PackageContext, problems: Problem[]): Promise<OwnServers> {
  const folder = join(context.dir, 'mcps')
  const servers: OwnServers = new Map()
  for (const file of listServerFiles(folder)) {
    servers.set(serverIdOf(relative(folder, file)), await loadServer(file, folder, context.dir, problems))
  }
  return servers
}

type OwnServers = Map<string, ToolServer | undefined>
type FindServer = (id: string, problems: Problem[]) => Promise<ToolServer | undefined>

/** The agent's own first, then `agents.<id>.<server>` of any agent, then the application's. */
function serverFinder(context: PackageContext, own: OwnServers): FindServer {
  const loaded = new Map<string, Promise<ToolServer | undefined>>()
  return (id, problems) => {
    if (own.has(id)) return Promise.resolve(own.get(id))
    let server = loaded.get(id)
    if (!server) loaded.set(id, (server = loadOtherServer(context, id, problems)))
    return server
  }
}

async function loadOtherServer(
  context: PackageContext,
  id: string,
  problems: Problem[],
): Promise<ToolServer | undefined> {
  const parts = id.split('.')
  for (let at = parts.length - 1; parts[0] === 'agents' && at > 1; at--) {
    const dir = context.agentDir(parts.slice(1, at).join('.'))
    const file = dir === undefined ? undefined : findServerFile(join(dir, 'mcps'), parts.slice(at).join('.'))
    if (dir !== undefined && file !== undefined) return loadServer(file, join(dir, 'mcps'), dir, problems)
  }
  const folder = join(context.appRoot, 'mcps')
  const file = findServerFile(folder, id)
  return file === undefined ? undefined : loadServer(file, folder, context.appRoot, problems)
}

/** What other servers have is known when they run. */
function unknownToolOf(server: ToolServer | undefined, ref: ServerRef): string | undefined {
  if (server?.transport !== 'process') return undefined
  return unknownTools(
    ref,
    server.tools.map(({ name }) => name),
  )
}

function unknownServer(id: string, own: OwnServers): string {
  const known = [...own.keys()]
  const contexts = `looked for mcps/${id.replaceAll('.', '/')}.mcp.yao in the agent's folder and the application's`
  return `no tool server "${id}" (${contexts}${known.length > 0 ? `; the agent has: ${known.join(', ')}` : ''})`
}

function badPackage(context: PackageContext, problems: Problem[], unmet: Need[] = []): UserError {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
  return new UserError({
    code: 'BAD_PACKAGE',
    message: `the agent "${context.id}" (${context.dir}) has ${count}`,
    problems,
    ...defined({ hint: howToForgo(unmet) }),
  })
}

function howToForgo(unmet: Need[]): string | undefined {
  if (unmet.length === 0) return undefined
  const known: readonly string[] = FEATURES
  const names = new Set(unmet.map(({ feature, path }) => (known.includes(feature) ? feature : (path[0] ?? feature))))
  const list = Array.from(names, (name) => JSON.stringify(name)).join(', ')
  return `to test it without: "testing": {"without": [${list}]} in the configuration; every report then says so`
}

// What was given on the command line → subjects: folders, `mcp:` servers, commands, URLs, names of the configuration.
import { accessSync, constants } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { listed } from '../../base/text.js'
import { suggest } from '../../base/suggest.js'
import { UserError } from '../../errors.js'
import { namesIn } from '../../files/entries.js'
import { pathBelow } from '../../files/inside.js'
import { statOf } from '../../files/stat.js'
import { parseMcpTarget } from '../../mcp-client/parse-target.js'
import type { McpEnvironment } from '../../mcp-client/wire.js'
import type { AgentEntry, VivaConfig } from '../../model/config.js'
import type { Subject } from '../subject.js'
import { findSubjects, subjectsIn, type FoundFolder, type FoundFolders } from './find-subjects.js'
import { shownFrom } from './read-tree.js'

export interface ReadContext {
  cwd: string
  config: VivaConfig
  /** `--key-env` */
  keyEnv: string | undefined
  servers: McpEnvironment
  signal: AbortSignal
}

type Source = ({ kind: 'folders' } & FoundFolders) | { kind: 'server'; entry: AgentEntry; label: string }

/** Everything is found before the first server is started. */
export async function readSubjects(targets: readonly string[], context: ReadContext): Promise<Subject[]> {
  const sources = [...new Set(targets)].map((target) => sourceOf(target, context))
  const parsed = sources.map((source) =>
    source.kind === 'folders' ? source : { ...source, server: serverOf(source.entry, context) },
  )
  const subjects: Subject[] = []
  const seen = new Set<string>()
  for (const source of parsed)
    if (source.kind === 'folders') {
      for (const folder of source.folders) {
        const key = `${folder.kind} ${folder.dir}`
        if (!seen.has(key)) subjects.push(await readFolder(folder, context))
        seen.add(key)
      }
      // What lies in a skill or package is a finding there.
      const alone = source.unread.filter(({ dir }) => !source.folders.some((folder) => isBelow(folder.dir, dir)))
      for (const { dir, reason } of alone) subjects.push(unreadFolder(shownFrom(context.cwd, dir), reason))
    } else {
      const { listServer } = await import('./list-server.js')
      subjects.push(await listServer(source.server, source.label, context.servers, context.signal))
    }
  return subjects
}

async function readFolder({ kind, dir }: FoundFolder, { cwd, config }: ReadContext): Promise<Subject> {
  if (kind === 'skill') return (await import('./read-skill.js')).readSkill(dir, cwd)
  return (await import('./read-package.js')).readPackage(dir, cwd, config.testing?.without ?? [])
}

/** It may hold skills, and those are not fine because nobody could look at them. */
function unreadFolder(label: string, reason: string): Subject {
  return {
    kind: 'folder',
    label,
    lists: [],
    texts: [],
    folder: { links: [], secrets: [], unread: [{ file: label, reason }] },
  }
}

function isBelow(root: string, path: string): boolean {
  return pathBelow(root, path) !== undefined
}

function sourceOf(target: string, { cwd, config }: ReadContext): Source {
  if (/^(?:mcp:|https?:\/\/)/i.test(target)) return { kind: 'server', entry: { target }, label: withoutKeys(target) }
  const named = target.replace(/^skill:/, '')
  // A variable that is not set must not lint another folder.
  if (named.trim() === '')
    throw new UserError({
      code: 'NOTHING_TO_LINT',
      message: `the target "${target}" names nothing`,
      hint: 'name a folder or a server; without a target, the current folder is linted',
    })
  const path = resolve(cwd, named)
  const stats = statOf(path)
  if (stats?.isDirectory()) return { kind: 'folders', ...requireSome(findSubjects(path), target) }
  if (stats && /^(?:skill\.md|package\.yao)$/i.test(basename(path)))
    return { kind: 'folders', folders: subjectsIn(dirname(path)), unread: [] }
  const entry = Object.hasOwn(config.agents ?? {}, target) ? config.agents?.[target] : undefined
  if (entry !== undefined) return namedServer(target, typeof entry === 'string' ? { target: entry } : entry)
  if (stats && isProgram(path)) return { kind: 'server', entry: { target: `mcp:${path}` }, label: target }
  if (stats) throw notAFolder(target)
  if (/\s/.test(target.trim()) && !target.startsWith('skill:'))
    return { kind: 'server', entry: { target: `mcp:${target}` }, label: target }
  throw nothingThere(target, path, Object.keys(config.agents ?? {}))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function namedServer(name: string, entry: AgentEntry): Source {
  if (/^mcp:/i.test(entry.target)) return { kind: 'server', entry, label: name }
  throw new UserError({
    code: 'NOTHING_TO_LINT',
    message: `"${name}" of viva.config is not an MCP server: its target is ${withoutKeys(entry.target)}`,
    hint: 'name the folder of a skill or package, or a server (mcp:…)',
  })
}

function serverOf(entry: AgentEntry, { cwd, keyEnv, servers }: ReadContext): ReturnType<typeof parseMcpTarget> {
  const keyed = keyEnv === undefined ? entry : { ...entry, key: `$ENV.${keyEnv}` }
  return parseMcpTarget(keyed, { cwd, env: servers.env, processes: servers.processes })
}

/** Addresses may hold a user name and a password. */
function withoutKeys(target: string): string {
  return target.replace(/\/\/[^/\s]*@/, '//')
}

function requireSome(found: FoundFolders, target: string): FoundFolders {
  if (found.folders.length + found.unread.length > 0) return found
  throw new UserError({
    code: 'NOTHING_TO_LINT',
    message: `there is neither a SKILL.md nor a package.yao in ${target} or below`,
    hint: 'name the folder of a skill or package; a server is given as a command in quotes, or as mcp:…',
  })
}

function notAFolder(target: string): UserError {
  return new UserError({
    code: 'NOTHING_TO_LINT',
    message: `${target} is neither a folder, a SKILL.md nor a package.yao`,
    hint: `quote the command that starts a server: viva lint "node ${target}"`,
  })
}

function nothingThere(target: string, path: string, agents: string[]): UserError {
  const near = suggest(basename(path), namesIn(dirname(path)))
  const known = agents.length > 0 ? `; viva.config has: ${listed(agents, 8)}` : ''
  return new UserError({
    code: 'NOTHING_TO_LINT',
    message: `there is no folder ${target}`,
    hint:
      near === undefined
        ? `name a folder, or quote the whole command of a server, such as viva lint "node server.mjs", or of one word: viva lint "mcp:${target}"${known}`
        : `did you mean ${near}?`,
  })
}

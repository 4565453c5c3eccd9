// A diff compares files: an agent that is the same on both sides, whatever they contain, cannot be compared.
import { realpathSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import { UserError } from '../errors.js'
import { pathBelow } from '../files/inside.js'
import { splitCommand } from '../process/split-command.js'
import type { AgentEntry, VivaConfig } from '../model/config.js'

export interface TargetContext {
  /** The repository, and where the command is run. */
  top: string
  cwd: string
}

/** A path in the repository becomes one that is valid on both sides. Throws a UserError for anything that is the same on both. */
export function portableTarget(target: string, { top, cwd }: TargetContext): string {
  requireOwn(target, 'it')
  const [path = '', hash] = target.split(/(?=#[\w$]*$)/)
  if (isAbsolute(path)) {
    if (pathBelow(top, path) === undefined)
      throw same(target, `${path} is outside the repository`, 'name an agent that is in it')
    const below = relative(cwd, path)
    return `${below.startsWith('.') ? below : `./${below}`}${hash ?? ''}`
  }
  if (/^(?:exec|acp):/i.test(target)) requireNoAbsolute(target, top)
  return target
}

/** A name in the configuration of a side. Returns the target that it refers to. */
export function requireEntry(
  name: string | undefined,
  { agents = {} }: VivaConfig,
  side: string,
  top: string,
): string | undefined {
  const entry: string | AgentEntry | undefined = name === undefined ? undefined : agents[name]
  if (entry === undefined || !Object.hasOwn(agents, name ?? '')) return name
  const { target, cwd } = typeof entry === 'string' ? { target: entry } : { ...entry }
  requireOwn(target, `agents.${name} at ${side}`)
  requireNoAbsolute(target, top)
  if (cwd !== undefined) requireNoAbsolute(cwd, top)
  return target
}

function requireOwn(target: string, what: string): void {
  const kind = /^([a-z][a-z0-9+]*):/i.exec(target)?.[1]?.toLowerCase()
  switch (kind) {
    case 'http':
    case 'https':
    case 'a2a':
      throw same(
        target,
        `${what} is reached by a URL, which answers the same whatever revision is checked out`,
        'let Viva start the agent (./agent.ts#run or exec:command); to compare two servers: viva test -n URL1 -n URL2',
      )
    case 'builtin':
    case 'recorded':
      throw same(target, `${what} is not part of any revision`, 'name an agent that is in the repository')
    default:
  }
}

/** `exec:agent` that PATH finds in the working tree would be that one on both sides; packages' own programs are shared anyway. */
export function requireProgram(target: string, find: (command: string) => string, top: string): void {
  if (!/^(?:exec|acp):/i.test(target)) return
  const [command = ''] = splitCommand(target.replace(/^\w+:/, ''))
  const below = pathBelow(top, realpathSync(find(command)))
  if (below === undefined || below.split(sep).includes('node_modules')) return
  throw same(target, `PATH finds ${command} in the working tree, for both sides`, `name its path: exec:./${below}`)
}

/** `exec:/repo/agent.sh` would be the working tree's on both sides. */
function requireNoAbsolute(text: string, top: string): void {
  if (!text.includes(`${top}/`) && !text.endsWith(top)) return
  throw same(text, `it names ${top}, which is the same on both sides`, 'write the path relative to the repository')
}

function same(target: string, why: string, hint: string): UserError {
  return new UserError({ code: 'SAME_ON_BOTH_SIDES', message: `cannot compare revisions of ${target}: ${why}`, hint })
}

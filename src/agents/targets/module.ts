// `./agent.ts#name`: an exported function `(messages, ctx, options) → answer` or an SDK's agent, in a process of its own.
import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { namesIn } from '../../files/entries.js'
import { UserError } from '../../errors.js'
import type { Agent } from '../../model/agent.js'
import type { AgentEntry } from '../../model/config.js'
import { defined } from '../../base/defined.js'
import { suggest } from '../../base/suggest.js'
import type { ModuleRole, Modules } from '../module-host/modules.js'
import type { ModuleExport } from '../module-host/protocol.js'
import { SHAPES } from './sent-messages.js'

export interface ModuleOptions {
  /** The base of a relative path. */
  cwd: string
  description?: string
  /** Absent: as in chat completions. */
  messages?: NonNullable<AgentEntry['messages']>
  role?: ModuleRole
  modules: Modules
}

export async function createModuleAgent(target: string, options: ModuleOptions): Promise<Agent> {
  const hash = target.lastIndexOf('#')
  const name = hash === -1 ? undefined : target.slice(hash + 1)
  const file = resolve(options.cwd, hash === -1 ? target : target.slice(0, hash))
  if (!existsSync(file)) throw missingFile(target, file)
  const pool = options.modules.pool(file, options.role ?? 'agent')
  const chosen = chooseExport(await pool.exports(), file, name)
  const shape = SHAPES[options.messages ?? 'chat']
  return {
    id: target,
    path: file,
    workspaces: 'folder',
    givenTools: 'served',
    ...defined({ description: options.description }),
    send: (request) => {
      const messages = shape(request.messages)
      return pool.send(chosen, messages === request.messages ? request : { ...request, messages })
    },
    reserve: (chatId, alone, signal, env) => pool.reserve(chatId, alone, signal, env),
    release: (chatId) => pool.release(chatId),
  }
}

/** The name of what is meant; without one, the default export, the only function, or the only agent. */
function chooseExport(exports: ModuleExport[], file: string, name: string | undefined): string {
  const wanted = exports.find((each) => each.name === (name || 'default'))
  if (wanted?.problem !== undefined) throw notAnAgent(file, wanted.name, wanted.problem)
  if (wanted) return wanted.name
  for (const kind of ['function', 'agent'] as const) {
    const [only, ...others] = exports.filter((each) => each.kind === kind)
    if (!name && only && others.length === 0) return only.name
  }
  throw missingExport(file, name, exports)
}

function notAnAgent(file: string, name: string, problem: string): UserError {
  return new UserError({
    code: 'UNKNOWN_EXPORT',
    message: `${file}: the export "${name}" ${problem}`,
    hint: `export a function that calls it: export const run = (messages, ctx, options) => …`,
  })
}

function missingExport(file: string, name: string | undefined, exports: ModuleExport[]): UserError {
  const names = exports.filter(({ kind }) => kind !== 'other').map((each) => each.name)
  const close = name === undefined ? undefined : suggest(name, names)
  const exported = names.length > 0 ? `it exports: ${names.join(', ')}` : 'it exports no function'
  return new UserError({
    code: 'UNKNOWN_EXPORT',
    message: name ? `${file} exports no function "${name}"` : `${file} has no default export that is a function`,
    hint: `${close ? `did you mean #${close}? ` : ''}${exported}`,
  })
}

function missingFile(target: string, file: string): UserError {
  const folder = dirname(file)
  const close = suggest(basename(file), namesIn(folder))
  return new UserError({
    code: 'MODULE_NOT_FOUND',
    message: `no file ${file} for the agent "${target}"`,
    hint: close
      ? `did you mean ${close}?`
      : existsSync(folder)
        ? 'a path after -n is relative to the folder the command is run in, one in a case to its file, one in the configuration to the application root'
        : `the folder ${folder} does not exist either`,
  })
}

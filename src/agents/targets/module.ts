// `./agent.ts#name`: an agent that is an exported function `(messages, ctx, options) → answer`.
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { UserError } from '../../errors.js'
import type { Agent, AgentReply, AgentRequest } from '../../model/agent.js'
import { abortedCall } from '../../connectors/aborted-call.js'
import { defined } from '../../base/defined.js'
import { suggest } from '../../base/suggest.js'
import { toAgentError } from './call-errors.js'
import { collectAnswer } from '../reply/collect-answer.js'
import { loadModule } from './load-module.js'

type AgentFunction = (messages: unknown, context: unknown, options: unknown) => unknown

export interface ModuleOptions {
  /** What a relative path starts from. */
  cwd?: string
  description?: string
}

export async function createModuleAgent(target: string, options: ModuleOptions = {}): Promise<Agent> {
  const hash = target.lastIndexOf('#')
  const name = hash === -1 ? undefined : target.slice(hash + 1)
  const file = resolve(options.cwd ?? process.cwd(), hash === -1 ? target : target.slice(0, hash))
  if (!existsSync(file)) throw missingFile(target, file)
  const { exports, release } = await loadModule(file)
  const answer = requireFunction(exports, file, name)
  return {
    id: target,
    path: file,
    ...defined({ description: options.description }),
    send: (request) => callFunction(answer, request, file),
    close: async () => release(),
  }
}

async function callFunction(answer: AgentFunction, request: AgentRequest, file: string): Promise<AgentReply> {
  const { signal, onChunk } = request
  const partial = { content: '' }
  const keep = (text: string): void => {
    partial.content += text
    onChunk?.(text)
  }
  const work = async (): Promise<AgentReply> => {
    const options = { ...request.options, signal, ...defined({ workspace: request.workspace }) }
    return collectAnswer(await answer(request.messages, request.context, options), keep, signal)
  }
  try {
    return await orAbort(work(), signal, partial)
  } catch (error) {
    throw signal.aborted ? abortedCall(signal, partial) : toAgentError(error, thrownAt(error, file))
  }
}

/** The place in the module that the error came from. */
function thrownAt(error: unknown, file: string): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const place = /([\w.-]+\.[cm]?[jt]sx?:\d+:\d+)\)?$/m
  const line = stack.split('\n').find((frame) => frame.includes(dirname(file)) && !frame.includes('node_modules'))
  const found = line === undefined ? undefined : place.exec(line)?.[1]
  return found === undefined ? undefined : `at ${found}`
}

/** The function runs in our own process and cannot be killed: when time is up, its answer is no longer waited for. */
async function orAbort<T>(work: Promise<T>, signal: AbortSignal, partial: unknown): Promise<T> {
  let onAbort: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortedCall(signal, partial))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (onAbort) signal.removeEventListener('abort', onAbort)
  }
}

function requireFunction(module: Record<string, unknown>, file: string, name: string | undefined): AgentFunction {
  const value = module[name || 'default']
  if (typeof value === 'function') return value as AgentFunction
  const functions = Object.keys(module).filter((key) => typeof module[key] === 'function')
  const only = functions.length === 1 ? module[functions[0] ?? ''] : undefined
  if (!name && typeof only === 'function') return only as AgentFunction
  throw missingExport(file, name, functions)
}

function missingExport(file: string, name: string | undefined, functions: string[]): UserError {
  const close = name === undefined ? undefined : suggest(name, functions)
  const exported = functions.length > 0 ? `it exports: ${functions.join(', ')}` : 'it exports no function'
  return new UserError({
    code: 'UNKNOWN_EXPORT',
    message: name ? `${file} exports no function "${name}"` : `${file} has no default export that is a function`,
    hint: `${close ? `did you mean #${close}? ` : ''}${exported}`,
  })
}

function missingFile(target: string, file: string): UserError {
  const folder = dirname(file)
  const entries = existsSync(folder) ? readdirSync(folder) : []
  const close = suggest(basename(file), entries)
  return new UserError({
    code: 'MODULE_NOT_FOUND',
    message: `no file ${file} for the agent "${target}"`,
    hint: close
      ? `did you mean ${close}?`
      : existsSync(folder)
        ? 'a path after -n starts from the folder the command is run in, one in a case from its file, one in the configuration from the application root'
        : `the folder ${folder} does not exist either`,
  })
}

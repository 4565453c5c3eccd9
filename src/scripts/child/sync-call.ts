// Synchronous calls to the host, and the mocks of the running test that answer instead.
import type { InvokeMessage, RequestOp } from '../protocol.js'
import { onMockInvoked, request, send } from './channel.js'
import { isContext } from './context-brand.js'
import { revive, toWire } from './exception.js'
import { plain } from './plain.js'
import { append, apply, define, hasOwn, mapEach, mapGet, mapHas, mapSize, types, whenSettled } from './primordials.js'

export interface MockCall {
  /** The process that was called, e.g. `models.user.Find`. */
  process: string
  args: unknown[]
  result?: unknown
  error?: unknown
}

export interface Mocks {
  answers: Map<string, unknown>
  calls: MockCall[]
}

let mocks: Mocks | undefined

export function installMocks(makeContext: (data: unknown) => unknown): void {
  onMockInvoked((message) => answerInvocation(message, makeContext))
}

/** The mocks of the running test; undefined between tests. */
export function useMocks(next: Mocks | undefined): void {
  const had = namesOf(mocks).length > 0
  mocks = next
  const names = namesOf(next)
  // The host must know them: they also answer scripts further down the chain.
  if (had || names.length > 0) send({ k: 'mocks', names })
}

function namesOf(given: Mocks | undefined): string[] {
  const names: string[] = []
  if (given) mapEach(given.answers, (_, name) => append(names, name as string))
  return names
}

export function ask(op: RequestOp, args: unknown[]): unknown {
  const contextArgs: number[] = []
  const copies: unknown[] = []
  for (let at = 0; at < args.length; at++) {
    if (isContext(args[at])) append(contextArgs, at)
    append(copies, plain(args[at]))
  }
  const reply = request(op, copies, contextArgs)
  // Fields missing from a reply are not looked up in a prototype that the script may have changed.
  if (hasOwn(reply, 'error') && reply.error) throw revive(reply.error)
  return hasOwn(reply, 'value') ? reply.value : undefined
}

export function callProcess(name: unknown, ...args: unknown[]): unknown {
  if (typeof name !== 'string' || name === '')
    throw new TypeError('Process needs the name of a process as its first argument')
  const mock = findMock(name)
  if (mock !== undefined) return callMock(name, mock, args)
  const all: unknown[] = [name]
  for (let at = 0; at < args.length; at++) append(all, args[at])
  return ask('process', all)
}

/** The key of the mock that answers for `name`: the name itself, else a pattern with `*`. */
export function findMock(name: string): string | undefined {
  if (!mocks || mapSize(mocks.answers) === 0) return undefined
  if (mapHas(mocks.answers, name)) return name
  return namesOf(mocks).find((key) => key.includes('*') && matchesPattern(key, name))
}

export function callMock(name: string, key: string, args: unknown[]): unknown {
  const call: MockCall = { process: name, args }
  const current = mocks
  if (current) append(current.calls, call)
  const answer = current && mapGet(current.answers, key)
  try {
    call.result =
      typeof answer === 'function' ? apply(answer as (...given: unknown[]) => unknown, undefined, args) : answer
    return call.result
  } catch (error) {
    call.error = error
    throw error
  }
}

function answerInvocation(message: InvokeMessage, makeContext: (data: unknown) => unknown): void {
  try {
    const key = findMock(message.name)
    if (key === undefined) throw new Error(`the mock of "${message.name}" is gone: its test has ended`)
    const { args } = message
    for (let at = 0; at < message.context_args.length; at++) {
      const index = message.context_args[at] as number
      define(args, index, makeContext(args[index]))
    }
    const value = callMock(message.name, key, args)
    if (types.isPromise(value)) {
      whenSettled(
        value,
        () => {},
        () => {},
      )
      throw new Error(
        `the mock of "${message.name}" returned a promise, but Process is synchronous: return the value itself`,
      )
    }
    send({ k: 'invoked', id: message.id, value: plain(value) })
  } catch (error) {
    send({ k: 'invoked', id: message.id, error: toWire(error) })
  }
}

function matchesPattern(pattern: string, name: string): boolean {
  const parts = pattern.split('*')
  let position = 0
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (name.startsWith(part) ? 0 : -1) : name.indexOf(part, position)
    if (found < 0) return false
    position = found + part.length
  }
  return parts.at(-1) === '' || name.endsWith(parts.at(-1) ?? '')
}

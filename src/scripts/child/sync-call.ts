// Synchronous calls to the host, and the mocks of the running test that answer instead.
import type { InvokeMessage, RequestOp } from '../protocol.js'
import { onMockInvoked, request, send } from './channel.js'
import { isContext } from './context-brand.js'
import { revive, toWire } from './exception.js'
import { plain } from './plain.js'

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

/** The mocks of the test that runs now; undefined between tests. */
export function useMocks(next: Mocks | undefined): void {
  const hadNames = (mocks?.answers.size ?? 0) > 0
  mocks = next
  // The host must know them: they also answer scripts further down the chain.
  if (hadNames || (next?.answers.size ?? 0) > 0) send({ k: 'mocks', names: [...(next?.answers.keys() ?? [])] })
}

export function ask(op: RequestOp, args: unknown[]): unknown {
  const contextArgs: number[] = []
  args.forEach((item, index) => {
    if (isContext(item)) contextArgs.push(index)
  })
  const reply = request(op, args.map(plain), contextArgs)
  if (reply.error) throw revive(reply.error)
  return reply.value
}

export function callProcess(name: unknown, ...args: unknown[]): unknown {
  if (typeof name !== 'string' || name === '')
    throw new TypeError('Process needs the name of a process as its first argument')
  const mock = findMock(name)
  if (mock !== undefined) return callMock(name, mock, args)
  return ask('process', [name, ...args])
}

/** The key of the mock that answers for `name`: the name itself, else a pattern with `*`. */
export function findMock(name: string): string | undefined {
  if (!mocks || mocks.answers.size === 0) return undefined
  if (mocks.answers.has(name)) return name
  return [...mocks.answers.keys()].find((key) => key.includes('*') && matchesPattern(key, name))
}

export function callMock(name: string, key: string, args: unknown[]): unknown {
  const call: MockCall = { process: name, args }
  const current = mocks
  current?.calls.push(call)
  const answer = current?.answers.get(key)
  try {
    call.result = typeof answer === 'function' ? (answer as (...given: unknown[]) => unknown)(...args) : answer
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
    const args = message.args.map((item, index) => (message.context_args.includes(index) ? makeContext(item) : item))
    const value = callMock(message.name, key, args)
    if (value instanceof Promise) {
      value.catch(() => {})
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

// The tools of a test for one attempt at a case. The store is plain data that is kept here: each call hands it to a process
// of its own, one call after the other, and takes back what the tool made of it. Nothing of it outlives the attempt.
import { checkArguments } from '../agents/package/tools/check-arguments.js'
import { isRecord } from '../base/record.js'
import { messageOf } from '../base/message-of.js'
import { show } from '../base/text.js'
import { GivenTool, type CaseTools, type OpenTools, type ToolOutcome } from '../model/given-tools.js'
import type { ToolSpec } from '../model/connector.js'
import type { ToolCall } from '../model/message.js'
import type { ScriptRuntime, ToolModuleCall } from '../model/script.js'
import type { ToolFile } from './tool-file.js'

/** Of the store as JSON: it is copied with every call. */
const MOST_BYTES = 16 * 1024 * 1024
const MOST_CALLS = 10_000

export interface ToolSession extends CaseTools {
  specs: readonly ToolSpec[]
  /** A call that came over MCP: it becomes evidence. */
  serve(name: string, args: unknown): Promise<ToolOutcome>
}

/** Throws if the store cannot be created. */
export async function openTools(
  file: ToolFile,
  scripts: ScriptRuntime,
  given: Pick<OpenTools, 'context' | 'signal' | 'onLog'>,
): Promise<ToolSession> {
  const { signal, onLog } = given
  const over = new AbortController()
  const ended = AbortSignal.any([signal, over.signal])
  const ask = (tools: ToolModuleCall, args: unknown[]): Promise<unknown> =>
    scripts.call({ ref: { file: file.path, name: 'tools' }, role: 'tools', args, tools, signal: ended, onLog })

  let store: unknown = file.hasStore ? requireSize(await ask({ op: 'store' }, [given.context])) : undefined
  let broken: Error | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let taken: ToolCall[] = []
  let count = 0

  const run = async (name: string, args: unknown): Promise<ToolOutcome> => {
    if (broken) throw broken
    ended.throwIfAborted()
    const spec = file.specs.find((each) => each.name === name)
    if (!spec)
      return { error: `there is no tool "${name}"; there are: ${file.specs.map((each) => each.name).join(', ')}` }
    if (++count > MOST_CALLS) throw new Error(`the tools were called more than ${MOST_CALLS} times`)
    if (!isRecord(args)) return { error: `the arguments must be an object, found ${show(args ?? null)}` }
    const fault = await checkArguments(args, spec.input_schema, `the tool ${name}`)
    if (fault !== undefined) return { error: fault }
    if (file.answers) return structuredClone(file.answers.get(name) ?? { error: 'nothing is answered' })
    const { store: left, ...outcome } = (await ask({ op: 'call', tool: name }, [args, store, given.context])) as {
      store?: unknown
    } & ToolOutcome
    if (file.hasStore) store = requireSize(left)
    return outcome
  }

  /** One after the other: a tool sees the store as the one before it left it. */
  const inTurn = <T>(work: () => Promise<T> | T): Promise<T> => {
    const done = queue.then(work)
    queue = done.catch(() => {})
    return done
  }

  const call = (name: string, args: unknown): Promise<ToolOutcome> =>
    inTurn(() => run(name, args)).catch((error: unknown) => {
      if (!ended.aborted) broken ??= new Error(`the tools of the test do not work: ${name}: ${messageOf(error)}`)
      throw error
    })

  const serve = async (name: string, args: unknown): Promise<ToolOutcome> => {
    const own: ToolCall = { name, args: args ?? {} }
    taken.push(own)
    if (!file.specs.some((each) => each.name === name)) own.no_such_tool = true
    try {
      const outcome = await call(name, args ?? {})
      Object.assign(own, structuredClone(outcome))
      return outcome
    } catch (error) {
      own.error = messageOf(error)
      throw error
    }
  }

  return {
    specs: file.specs,
    tools: file.specs.map((spec) => new GivenTool(spec, (args) => call(spec.name, args))),
    serve,
    made: () => inTurn(() => structuredClone(taken)),
    taken: () =>
      inTurn(() => {
        const calls = taken
        taken = []
        return calls
      }),
    async play(calls) {
      for (const { name, args } of calls) await serve(name, args)
    },
    hasStore: file.hasStore,
    state: () => inTurn(() => store),
    broken: () => broken,
    close: () => over.abort(new Error('the case is over')),
  }
}

function requireSize(store: unknown): unknown {
  const bytes = Buffer.byteLength(JSON.stringify(store))
  if (bytes <= MOST_BYTES) return store
  throw new Error(`the store has ${bytes} bytes as JSON; at most ${MOST_BYTES} can be kept`)
}

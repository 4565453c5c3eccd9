// Calls one function of a script in a warm process and returns its result.
import type { ScriptCall } from '../../model/script.js'
import { CompileError, type Compiler } from '../compile/compile.js'
import { describeEnd } from './describe-end.js'
import type { Pool, ScriptSetting } from './pool.js'
import type { ChildMessage, FunctionCoverage } from '../protocol.js'
import type { FunctionTarget } from '../compile/reference.js'
import { ScriptError } from './script-error.js'
import type { ScriptProcess } from './script-process.js'
import { shownPath } from '../compile/paths.js'
import { withFrames } from './with-frames.js'
import { Session, type SessionServices } from './session.js'
import type { Slots } from './slots.js'

export interface CallDeps {
  compiler: Compiler
  pool: Pool
  slots: Slots
  /** Variables that only this call may see; `close` when it is over. */
  envOf?(call: ScriptCall): { env: Record<string, string>; close(): void } | undefined
  /** Variables that all calls for the same variant see. */
  settingOf?(call: ScriptCall): ScriptSetting | undefined
  services: SessionServices
  onLate(message: string, where: string): void
  /** Output of a call that has no listener. */
  onLog(line: string, where: string): void
  onCoverage(path: string, code: string, functions: FunctionCoverage[]): void
}

/** Created once: the stack of an error costs more than a call. */
const ENDED = new Error('the call has ended')

export async function callFunction(call: ScriptCall, target: FunctionTarget, deps: CallDeps): Promise<unknown> {
  const where = typeof call.ref === 'string' ? call.ref : (target.name ?? target.file)
  const script = await compiled(target, where, deps)
  call.signal.throwIfAborted()
  await deps.slots.take()
  let holding = true
  let over = false
  const release = (): void => {
    if (holding) deps.slots.release()
    holding = false
  }
  const own = deps.envOf?.(call)
  const setting = deps.settingOf?.(call)
  try {
    call.signal.throwIfAborted()
    const { pool } = deps
    const child = await (own
      ? pool.startWith({ ...setting?.env, ...own.env }, call.signal)
      : pool.takeFor(call.role, call.signal, setting))
    return await converse(call, where, { child, isOwn: own !== undefined }, script.code, deps, (session) => {
      session.around = async (work) => {
        release()
        try {
          return await work()
        } finally {
          if (!over) {
            await deps.slots.take()
            // It may have ended while waiting for its place.
            if (over) deps.slots.release()
            else holding = true
          }
        }
      }
      child.send({
        k: 'call',
        script: child.introduce(script),
        ...(target.name === undefined ? {} : { name: target.name }),
        args: call.args,
        context_args: call.context_args ?? [],
        ...(call.tools && { tools: call.tools }),
      })
    })
  } finally {
    over = true
    own?.close()
    release()
  }
}

async function compiled(target: FunctionTarget, where: string, { compiler }: CallDeps) {
  try {
    return await compiler.get(target.file)
  } catch (error) {
    if (!(error instanceof CompileError)) throw error
    throw new ScriptError({ kind: 'compile', message: error.message, where, cause: error })
  }
}

function converse(
  call: ScriptCall,
  where: string,
  { child, isOwn }: { child: ScriptProcess; isOwn: boolean },
  code: string,
  deps: CallDeps,
  begin: (session: Session) => void,
): Promise<unknown> {
  // A bare name says little about a hook.
  const place = typeof call.ref === 'string' ? where : `${where} in ${shownPath(deps.services.root, call.ref.file)}`
  return new Promise((resolve, reject) => {
    // Its own signal: what the host does for this call ends with it, and long chains do not pile up on one signal.
    const work = new AbortController()
    const session = new Session(child, deps.services, work.signal, call.role, call.origin)
    const onLog = (line: string): void => (call.onLog ? call.onLog(line) : deps.onLog(line, place))
    session.onLog = onLog
    session.onSpent = call.onSpent
    const finish = (dirty: boolean, settle: () => void): void => {
      call.signal.removeEventListener('abort', onAbort)
      work.abort(call.signal.aborted ? call.signal.reason : ENDED)
      session.close()
      deps.pool.giveBack(child, dirty || isOwn)
      settle()
    }
    const onAbort = (): void => finish(true, () => reject(call.signal.reason))
    const onMessage = (message: ChildMessage): void => {
      if (session.accept(message)) return
      switch (message.k) {
        case 'result': {
          const { error, value, dirty } = message
          return finish(dirty, () => (error ? reject(scriptException(error, where)) : resolve(value)))
        }
        case 'log':
          for (const line of message.lines) onLog(line)
          return
        case 'send':
          call.onSend?.(message.message)
          return
        case 'late':
          return deps.onLate(withFrames(message.message, message.stack), place)
        case 'coverage':
          return deps.onCoverage(message.path, code, message.functions)
        default:
      }
    }
    call.signal.addEventListener('abort', onAbort, { once: true })
    child.attach({
      message: onMessage,
      printed: (text) => {
        for (const line of text.split('\n')) if (line !== '') onLog(line)
      },
      ended: (end) =>
        finish(true, () => reject(new ScriptError({ kind: 'crashed', message: describeEnd(child, end), where }))),
    })
    begin(session)
  })
}

function scriptException(error: { name: string; message: string; code?: unknown; stack?: string }, where: string) {
  const plain = error.name === 'Error' || error.name === 'Exception'
  const message = plain ? error.message : `${error.name}: ${error.message}`
  return new ScriptError({
    kind: 'exception',
    message,
    where,
    ...(error.code === undefined ? {} : { code: error.code }),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
  })
}

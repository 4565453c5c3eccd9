// Calls one hook of a package and keeps what it did in the trace.
import { AgentError } from '../../errors.js'
import type { AgentContext, TraceStep } from '../../model/agent.js'
import type { Call } from './call.js'
import { callHook } from './hooks.js'
import { logsOf } from './reply.js'
import { messageOf } from '../../base/message-of.js'
import { monotonicNow } from '../../time/clock.js'

/** Null if the package has no such hook. `subject` is its second argument: messages, or the payload. */
export async function runHook(
  call: Call,
  name: 'Create' | 'Next',
  context: AgentContext,
  subject: unknown,
): Promise<unknown> {
  const { pkg, parts, request, trace, said, logs } = call
  if (!(name === 'Create' ? pkg.hooks?.create : pkg.hooks?.next) || !pkg.hooks) return null
  const { options, signal, call: origin } = request
  const start = monotonicNow()
  const step: TraceStep = { kind: 'hook', name, start_ms: start }
  trace.push(step)
  try {
    const returned = await callHook({
      scripts: parts.scripts,
      hooks: pkg.hooks,
      dir: pkg.dir,
      name,
      context,
      subject,
      options,
      origin,
      signal,
      onLog: (line) => logs.add(line),
      onSend: (message) => said.add(message),
      onSpent: (spent) => call.spent.push(spent),
    })
    if (returned !== undefined && returned !== null) step.returned = returned
    return returned
  } catch (cause) {
    const message = messageOf(cause)
    step.error = message
    if (signal.aborted) throw cause
    const partial = logsOf(logs)
    throw new AgentError({
      code: 'failed',
      message: `the ${name} hook of ${pkg.id} failed: ${message}`,
      cause,
      ...(partial.logs && { partial }),
    })
  } finally {
    step.duration_ms = monotonicNow() - start
  }
}

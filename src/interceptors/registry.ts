// Every interceptor, from the innermost to the outermost: calls pass them in reverse, results in this order.
// Faults come after the recording, so that what is recorded or replayed is intact.
import { composeInterceptors, type Interceptors } from './compose.js'
import type { Interceptor, InterceptorInit } from './interceptor.js'

interface Row {
  name: string
  /** Undefined if this run does not use it. What it needs is loaded only then. */
  open(init: InterceptorInit): Promise<Interceptor | undefined>
}

const INTERCEPTORS: readonly Row[] = [
  {
    name: 'recording',
    open: async (init) => {
      const { record, replay } = init.options
      if (record === undefined && replay === undefined) return undefined
      return (await import('./recording/recording.js')).openRecording(init)
    },
  },
  {
    name: 'cache',
    open: async (init) =>
      isGiven(init.options.cache) ? (await import('./recording/cache.js')).openCache(init) : undefined,
  },
  {
    name: 'chaos',
    open: async (init) =>
      isGiven(init.options.chaos) ? (await import('./chaos/chaos.js')).openChaos(init) : undefined,
  },
  {
    name: 'trace',
    open: async (init) =>
      isGiven(init.options.otel) || init.lent?.['trace'] !== undefined
        ? (await import('./trace/trace.js')).openTrace(init)
        : undefined,
  },
  { name: 'snapshots', open: async (init) => (await import('./snapshots.js')).openSnapshots(init) },
  {
    name: 'coverage',
    open: async (init) =>
      isGiven(init.options.coverage) && init.options.coverage !== '' && !init.options.dry_run
        ? (await import('./coverage/coverage.js')).openCoverage(init)
        : undefined,
  },
]

export async function openInterceptors(init: InterceptorInit): Promise<Interceptors> {
  const opened: Interceptor[] = []
  try {
    for (const row of INTERCEPTORS) {
      const interceptor = await row.open(init)
      if (interceptor) opened.push(interceptor)
    }
  } catch (error) {
    for (const { close } of opened) await close?.().catch(() => {})
    throw error
  }
  return composeInterceptors(opened)
}

function isGiven(option: string | boolean | undefined): boolean {
  return option !== undefined && option !== false
}

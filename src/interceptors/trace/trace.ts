// `--otel` as an interceptor: agents learn which span they are part of, results which trace, and the run is exported as spans.
import { resolve } from 'node:path'
import { traceIdOf } from '../../base/trace-ids.js'
import type { Interceptor, InterceptorInit } from '../interceptor.js'
import { openExporter } from './exporter.js'
import { tracedAgent } from './traced-agent.js'

/** On a worker of a fleet the coordinator exports. */
export function openTrace({ run_id, options, cwd, env, clock, lent }: InterceptorInit): Interceptor {
  const { otel, output } = options
  const sink =
    lent || otel === undefined || otel === false ? undefined : openExporter({ otel, output, cwd, env, clock })
  const trace_id = traceIdOf(run_id)
  return {
    name: 'trace',
    aroundAgent: async ({ isTested }, open) => (isTested ? tracedAgent(await open(), run_id) : open()),
    settle: (result) => ({ ...result, trace_id }),
    files: () => (typeof otel === 'string' && !/^https?:/i.test(otel) ? [resolve(cwd, otel)] : []),
    lend: async () => ({}),
    ...(sink && { sink }),
  }
}

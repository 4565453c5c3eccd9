// Before a run that must start nothing: what would run code or connect before the first agent is even named.
import { liveRefused } from '../errors.js'
import type { Settings } from './settings.js'

const CODE = /\.(?:[cm]?[jt]s|tsx|jsx)$/

/** Agents, hooks, scripts and connectors are refused where they would be started. */
export function requireStill({ options, input }: Settings): void {
  const module = input.files.find((file) => CODE.test(file))
  if (module !== undefined) throw liveRefused(`${module} is a module`)
  if (options.queue !== undefined) throw liveRefused('--queue')
  if (options.otel !== undefined) throw liveRefused('--otel')
}

// What plays the hats that name no backend of their own.
import { UserError } from '../errors.js'
import type { LoopConfig } from './config/config.js'
import type { BackendChoice } from './hats.js'
import type { LoopRecording } from './run-types.js'

export interface BackendAsked {
  backend?: string | BackendChoice | undefined
  mock_responses?: unknown
  recording?: Pick<LoopRecording, 'mode'> | undefined
}

/** Undefined: nobody named one, and a real one is never called unless asked for. */
export function chooseBackend(
  { backend, mock_responses, recording }: BackendAsked,
  config: LoopConfig,
): BackendChoice | undefined {
  // What the configuration says about a backend applies to that backend alone.
  if (typeof backend === 'string') return config.backend?.type === backend ? config.backend : { type: backend }
  if (backend !== undefined) return backend
  if (mock_responses !== undefined) return { type: 'mock' }
  return config.backend ?? (recording?.mode === 'replay' ? { type: 'replay' } : undefined)
}

export function requireBackend(asked: BackendAsked, config: LoopConfig, hint: string): BackendChoice {
  const found = chooseBackend(asked, config)
  if (found) return found
  throw new UserError({
    code: 'NO_BACKEND',
    message: 'no backend named: a real one is called only if you ask for it',
    hint,
  })
}

// The backends by name. Real ones run only when named explicitly.
import { suggest } from '../../base/suggest.js'
import { ownValue } from '../../base/record.js'
import { UserError } from '../../errors.js'
import type { Program } from './program.js'

/** Each is loaded on demand. */
const PROGRAMS: Record<string, () => Promise<Program>> = {
  claude: async () => (await import('./claude.js')).claude,
  kiro: async () => (await import('./kiro.js')).kiro,
  gemini: async () => (await import('./gemini.js')).gemini,
  codex: async () => (await import('./codex.js')).codex,
  amp: async () => (await import('./amp.js')).amp,
  opencode: async () => (await import('./opencode.js')).opencode,
  copilot: async () => (await import('./copilot.js')).copilot,
  custom: async () => (await import('./custom.js')).custom,
}

/** `ralph` is a whole orchestrator, not one that plays a hat. */
const BACKENDS = ['mock', 'replay', ...Object.keys(PROGRAMS), 'ralph'] as const

export async function loadProgram(name: string): Promise<Program> {
  const program = await findProgram(name)
  if (program) return program
  throw unknownBackend(name)
}

/** Undefined: it is not a program that plays a hat. */
export async function findProgram(name: string): Promise<Program | undefined> {
  return ownValue(PROGRAMS, name)?.()
}

export function unknownBackend(name: string): UserError {
  const near = suggest(name, BACKENDS)
  return new UserError({
    code: 'UNKNOWN_BACKEND',
    message: `no backend called "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
    hint: `backends: ${BACKENDS.join(', ')}`,
  })
}

// From what a check has found to what a script assertion returns.
import type { Found, Known, Settings, Verdict } from './settings'

export interface About extends Known {
  metadata: Settings
}

export interface Answer {
  pass: boolean
  message?: string
  score?: number
  expected?: unknown
  actual?: unknown
}

export type CheckScript = (output: unknown, input: unknown, expected: unknown, about: About) => Promise<Answer>

export function answerOf({ pass, score, reason, expected, actual }: Verdict): Answer {
  return {
    pass,
    ...(Number.isFinite(score) && { score: score as number }),
    ...(!pass && { message: reason ?? '', ...(expected !== undefined && { expected }), actual }),
  }
}

/** What was found, inverted by `not`. The score of a script stays as it is. */
export function concluded(settings: Settings, { pass: holds, score: found, reason }: Found, output: unknown): Verdict {
  const { type, value, schema } = settings
  const not = settings.not === true
  const pass = holds !== not
  const score = found !== undefined && not && (type === 'bleu' || type === 'gleu') ? 1 - found : found
  if (pass) return { pass, ...(score !== undefined && { score }) }
  const isCode = type === 'javascript' || type === 'python'
  return {
    pass,
    ...(score !== undefined && { score }),
    reason: `${claim(settings)} does not hold${reason ? `: ${reason}` : ''}`,
    ...(!not && !isCode && { expected: schema ?? value }),
    actual: output,
  }
}

/** A long value is not cut: half of a secret would not be recognised as one. */
export function claim({ type, not, value, file, schema }: Settings): string {
  const name = not ? `not-${type}` : type
  const shown = JSON.stringify(value ?? file ?? schema) ?? ''
  return shown === '' || shown.length > LONGEST_SHOWN ? name : `${name} ${shown}`
}

const LONGEST_SHOWN = 200

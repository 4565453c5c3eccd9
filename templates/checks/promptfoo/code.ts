// JavaScript in a case, run as promptfoo runs it: a line is an expression, several lines are the body of a function.
import type { Evidence, Found, Settings } from './settings'

export interface Context {
  vars: Record<string, unknown>
  config: Record<string, unknown>
  test: { vars: Record<string, unknown> }
  providerResponse: { output: unknown }
}

const NOT_CARRIED_OVER = ['prompt', 'provider', 'logProbs', 'trace', 'metadata']

/** The second argument of a check. Reading what an import leaves behind is an error. */
export function contextOf({ config = {} }: Settings, { metadata = {} }: Evidence, output: unknown): Context {
  const { import: _notes, rendered: _rendered, ...vars } = metadata
  const context = { vars, config, test: { vars }, providerResponse: { output } }
  for (const name of NOT_CARRIED_OVER)
    Object.defineProperty(context, name, {
      get() {
        throw new Error(`context.${name} is not carried over`)
      },
    })
  return context
}

export function runTransform(code: string, output: unknown, context: Context): Promise<unknown> {
  return run(code.includes('\n') ? code : `return ${code}`, output, context)
}

export function runAssertion(code: string, output: unknown, context: Context): Promise<unknown> {
  return run(bodyOf(code.trimEnd()), output, context)
}

async function run(body: string, output: unknown, context: Context): Promise<unknown> {
  // oxlint-disable-next-line typescript/no-implied-eval -- the author's own code, in a script's process
  const code = new Function('output', 'context', 'process', body) as (...args: unknown[]) => unknown
  return code(output, context, undefined)
}

/** One line may also be declarations and then an expression. */
function bodyOf(code: string): string {
  if (code.includes('\n')) return code
  const line = code.trim().replace(/;+\s*$/, '')
  if (!/^(?:const|let|var)\s/.test(line)) return `return ${line}`
  const at = lastSemicolon(line)
  const end = line.slice(at + 1).trim()
  return at < 0 || end === '' ? line : `${line.slice(0, at + 1)} return ${end}`
}

function lastSemicolon(code: string): number {
  let quote = ''
  let found = -1
  for (let at = 0; at < code.length; at += 1) {
    const char = code[at] ?? ''
    if (char === '\\') at += 1
    else if (quote !== '') {
      if (char === quote) quote = ''
    } else if (char === '"' || char === "'" || char === '`') quote = char
    else if (char === ';') found = at
  }
  return found
}

/** What JavaScript or Python returned. */
export function graded(result: unknown, { threshold }: Settings): Found {
  if (typeof result === 'boolean') return { pass: result }
  if (typeof result === 'number' && !Number.isNaN(result))
    return { pass: threshold === undefined ? result > 0 : result >= threshold, score: result }
  if (isGrading(result)) return { pass: result.pass, score: result.score, reason: result.reason }
  throw new Error(`expected true, false, a number or {pass, score, reason}, got ${JSON.stringify(result)}`)
}

/** As strict as promptfoo: a pass without a score and a reason does not count. */
function isGrading(result: unknown): result is Required<Found> {
  if (typeof result !== 'object' || result === null) return false
  const given = result as Record<string, unknown>
  const isOptional = (name: string, type: string): boolean => given[name] === undefined || typeof given[name] === type
  return (
    typeof given['pass'] === 'boolean' &&
    typeof given['score'] === 'number' &&
    typeof given['reason'] === 'string' &&
    ['namedScores', 'namedScoreWeights', 'tokensUsed', 'assertion'].every((name) => isOptional(name, 'object')) &&
    isOptional('comment', 'string') &&
    (given['componentResults'] === undefined || Array.isArray(given['componentResults']))
  )
}

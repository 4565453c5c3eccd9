// Calls of tools that are expected → assertions that look for each of them. What they cannot say is lost, and said.
import { parseJson } from '../base/json/parse-json.js'
import { isRecord } from '../base/record.js'
import { asLiteral } from '../model/matcher-keys.js'

export interface ExpectedCall {
  /** Anything but a text makes an assertion that no case can have, which is then said to be lost. */
  name: unknown
  /** An object, or one as JSON text. */
  args: unknown
}

export interface WantedCall {
  name: string
  arguments?: Record<string, unknown>
}

/** The assertions, and why they do not say all of what was expected. */
export function expectCalls(calls: readonly ExpectedCall[]): {
  asserts: Array<Record<string, unknown>>
  lost: string[]
} {
  const { wanted, lost } = wantedCalls(calls)
  const names = new Set(wanted.map(({ name }) => name))
  const asserts =
    names.size === wanted.length
      ? wanted.map((call) => ({ type: 'tool_called', ...call }))
      : // Several calls of one tool: one call must not stand for all of them.
        [{ type: 'tool_sequence', tools: wanted, match: 'superset' }]
  return { asserts, lost }
}

export function wantedCalls(calls: readonly ExpectedCall[]): { wanted: WantedCall[]; lost: string[] } {
  const lost: string[] = []
  const wanted = calls.map(({ name: given, args }): WantedCall => {
    const name = typeof given === 'string' ? given : ''
    const found = argumentsOf(args)
    if (typeof found === 'string') lost.push(`the arguments of the call of "${name}": ${found}`)
    return typeof found === 'string' || Object.keys(found).length === 0 ? { name } : { name, arguments: found }
  })
  return { wanted, lost }
}

/** Or why they cannot be compared. */
function argumentsOf(given: unknown): Record<string, unknown> | string {
  if (given === undefined || given === null || given === '') return {}
  const args = typeof given === 'string' ? parseJson(given)?.value : given
  if (!isRecord(args)) return 'they are not a JSON object'
  return asLiteral(args) as Record<string, unknown>
}

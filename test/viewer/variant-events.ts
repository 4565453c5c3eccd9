// A made-up run of three variants: any number of cases, one variant that fails more often, one that costs more and behaves
// otherwise.
import type { ResultEvent, RunEvent } from '../../src/model/event.js'
import { createSummaryFold } from '../../src/pipeline/fold/summary.js'
import { resultEvent, startEvent } from './sample-events.js'

const RUN = 'run-20260314-093000'
const TIME = '2026-03-14T09:30:00.000Z'

export const VARIANTS = [
  { name: 'today', agent_id: 'expense.assistant', connector: 'deepseek.v3' },
  { name: 'brief prompt', agent_id: 'expense.assistant', connector: 'deepseek.v3', preset: 'brief' },
  { name: 'large model', agent_id: 'expense.assistant', connector: 'gpt-large' },
]
const NAMES = VARIANTS.map(({ name }) => name)

const WHAT = ['taxi', 'hotel', 'lunch', 'train', 'flight', 'parking', 'visa fee']
const PLACES = ['Lyon', 'Osaka', 'Lisbon', 'Kraków', 'Montréal']

export interface VariantRun {
  cases: number
  runs?: number
  /** The run was cut off before this result of the last variant. */
  withoutLast?: number
}

export function* variantRun({ cases, runs = 1, withoutLast = 0 }: VariantRun): Generator<RunEvent> {
  const fold = createSummaryFold({ run_id: RUN, runs, variants: NAMES })
  yield startEvent({ format: 2, total_cases: cases, variants: VARIANTS, runs_per_case: runs })
  for (let number = 1; number <= cases; number += 1)
    for (let run = 1; run <= runs; run += 1)
      for (const variant of NAMES) {
        if (variant === 'large model' && number > cases - withoutLast) continue
        const event = resultOf(number, run, variant)
        fold.add(event)
        yield event
      }
  yield fold.summary({ duration_ms: 412_000, timestamp: TIME, total_cases: cases })
}

/** Always the same. */
function chance(...parts: Array<number | string>): number {
  let sum = 2166136261
  for (const letter of parts.join('/')) sum = Math.imul(sum ^ letter.charCodeAt(0), 16777619)
  sum = Math.imul(sum ^ (sum >>> 15), 2246822519)
  return ((sum ^ (sum >>> 13)) >>> 0) / 2 ** 32
}

function resultOf(number: number, run: number, variant: string): ResultEvent {
  const what = WHAT[number % WHAT.length] ?? ''
  const place = PLACES[number % PLACES.length] ?? ''
  const amount = 20 + ((number * 37) % 400)
  const hard = chance('case', number) < 0.12
  const weak =
    chance(variant, run, number) < (variant === 'brief prompt' ? 0.17 : variant === 'large model' ? 0.02 : 0.04)
  const failed = hard ? chance(number, variant, run) < 0.7 : weak
  const shared = `Your ${what} in ${place} (${amount} EUR)`
  const answer =
    variant === 'brief prompt'
      ? `${shared} ${failed ? 'is noted.' : 'is submitted.'}`
      : variant === 'large model'
        ? `${shared} was submitted and goes to your manager today. You will hear from us within two days.`
        : `${shared} was submitted. You will hear from us within five days.`
  const output =
    failed && variant !== 'brief prompt' ? `${shared} could not be booked: which project is it for?` : answer
  const [factor, price] =
    variant === 'large model' ? [2.4, 0.0042] : variant === 'brief prompt' ? [0.6, 0.0007] : [1, 0.0011]
  const tokens = Math.round((240 + output.length) * (0.9 + 0.2 * chance(number, 'tokens', variant)))
  const asks = variant === 'large model' && number % 4 === 0
  return resultEvent({
    id: `T${String(number).padStart(String(number).length > 3 ? 6 : 3, '0')}`,
    name: `Books a ${what} in ${place}`,
    run,
    variant,
    input: `Please book my ${what} in ${place}, ${amount} EUR.`,
    output,
    tags: [what.split(' ')[0] ?? what],
    duration_ms: Math.round(factor * 900 * (0.5 + chance(number, 'time', variant) * 1.6)),
    usage: { input_tokens: tokens - 40, output_tokens: 40, total_tokens: tokens },
    cost_dollars: price * (0.8 + 0.4 * chance(number, 'cost', variant)),
    tool_calls: [
      ...(asks ? [{ name: 'find_manager', args: { place } }] : []),
      { name: 'book', args: { what, amount } },
    ],
    assertions: [
      {
        type: 'contains',
        passed: !failed,
        value: 'submitted',
        ...(failed && { message: 'output does not contain "submitted"' }),
      },
    ],
    ...(failed && { status: 'failed', error: 'output does not contain "submitted"', error_kind: 'assertion' }),
  })
}

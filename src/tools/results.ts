// What was asserted and judged in a workspace: one result event each, kept until they are reported.
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../base/record.js'
import { preview } from '../base/text.js'
import { UserError } from '../errors.js'
import type { AssertionResult } from '../model/assertion.js'
import type { ResultEvent } from '../model/event.js'
import { failureText } from '../pipeline/assert/evaluate.js'
import type { Redactor } from '../redact/redactor.js'
import type { Workspace } from '../workspaces/workspace.js'
import type { Retried } from './retry.js'

const FILE = 'results.jsonl'

/** `label`: what it is called; the type of the assertion, or the criterion. */
export interface Checked {
  label: string
  result: AssertionResult
  duration_ms: number
}

/** Stored before anyone sees it. */
export function keepResults(
  { state }: Pick<Workspace, 'state'>,
  run_id: string,
  checked: readonly Checked[],
  redactor: Redactor,
  retried: Retried = {},
): void {
  const taken = new Set(readResults({ state }).map(({ id }) => id))
  const lines = checked.map(({ label, result, duration_ms }) => {
    const id = freeId(label, taken)
    taken.add(id)
    return `${redactor.line(resultEvent(id, run_id, result, duration_ms, retried))}\n`
  })
  appendFileSync(join(state, FILE), lines.join(''), { mode: 0o600, flush: true })
}

export function readResults({ state }: Pick<Workspace, 'state'>): ResultEvent[] {
  let text: string
  try {
    text = readFileSync(join(state, FILE), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return text.split('\n').flatMap((line, index) => (line === '' ? [] : [parseResult(line, index + 1)]))
}

function parseResult(line: string, number: number): ResultEvent {
  try {
    const value: unknown = JSON.parse(line)
    if (isRecord(value) && value['type'] === 'result') return value as unknown as ResultEvent
  } catch {
    // Reported below.
  }
  throw new UserError({
    code: 'BAD_RESULTS',
    message: `cannot read the record of checks in this workspace: line ${number} is damaged`,
    hint: 'clean up the workspace and test again',
    exitCode: 3,
  })
}

function resultEvent(
  id: string,
  run_id: string,
  result: AssertionResult,
  duration_ms: number,
  { attempts = 1, flaky, failure_history = [] }: Retried,
): ResultEvent {
  const common = {
    type: 'result' as const,
    run_id,
    id,
    name: titleOf(result),
    run: 1,
    duration_ms,
    assertions: [result],
    ...(attempts > 1 && {
      attempts,
      failure_history: failure_history.map((each) => ({
        ...each,
        status: 'failed' as const,
        error_kind: 'agent' as const,
        duration_ms: 0,
      })),
    }),
  }
  if (result.passed) return { ...common, status: 'passed', ...(flaky && { flaky }) }
  const error = failureText(result)
  const error_kind = result.error === undefined ? ('assertion' as const) : (result.error_kind ?? 'input')
  return { ...common, status: 'failed', error, error_kind, assertion_errors: [error] }
}

/** In a few words: what was looked at, what was expected and found. */
function titleOf(result: AssertionResult): string {
  const { type, path, pattern, topic, from, to, hat, snapshot_id, expected, actual } = result
  // What came instead is shown below it.
  if (!result.passed && type === 'event_sequence' && result.error === undefined) return 'wrong order'
  if (!result.passed) return preview(failureText(result), 120)
  if (type === 'duration' && typeof expected === 'number' && typeof actual === 'number')
    return `${Math.round(actual) / 1000}s < ${expected / 1000}s max`
  if (typeof result.score === 'number') return `score ${result.score}`
  const subject = [path, topic, hat, snapshot_id, from === undefined ? undefined : `${from} → ${to ?? ''}`, pattern]
  const named = subject.filter((part) => part !== undefined).join(' ')
  if (named !== '') return preview(named, 120)
  if (expected === undefined) return 'holds'
  return `expected ${shown(expected)}${actual === undefined || actual === expected ? sameAs(actual) : `, got ${shown(actual)}`}`
}

function sameAs(actual: unknown): string {
  return typeof actual === 'number' ? `, got ${actual}` : ''
}

function shown(value: unknown): string {
  return Array.isArray(value) ? preview(`[${value.join(', ')}]`, 120) : preview(value, 120)
}

function freeId(label: string, taken: ReadonlySet<string>): string {
  if (!taken.has(label)) return label
  for (let number = 2; ; number += 1) if (!taken.has(`${label}-${number}`)) return `${label}-${number}`
}

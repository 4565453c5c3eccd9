// A generator agent or script makes the cases. What comes back is checked like any file.
import { parseGeneratorAnswer } from '../../agents/helpers/answers.js'
import { UserError } from '../../errors.js'
import type { Agent } from '../../model/agent.js'
import type { ToolSpec } from '../../model/tool-spec.js'
import type { AskHelper } from '../../model/helper.js'
import { clip } from '../../base/text.js'
import { plural } from '../../base/format.js'
import { actionsIn } from './generated-actions.js'

const DEFAULT_CASE_COUNT = 5

export interface GenerateRequest {
  /** `agents:id`, `scripts:mod.fn`, a bare agent id or any target. */
  use: string
  /** Typed values of the query: `count`, `focus`, `complexity`, and others as they are. */
  params: Record<string, unknown>
  target: Pick<Agent, 'id' | 'description' | 'tools' | 'callable'>
  ask: AskHelper
  /** Lets cases written by a model run scripts and read files. */
  allowActions?: boolean
  signal: AbortSignal
}

/** The cases as the generator wrote them, not yet validated. */
export async function generateCases(request: GenerateRequest): Promise<unknown[]> {
  const { use, ask, signal } = request
  const { target } = request
  // Whoever writes calls needs the arguments, too.
  const called = target.tools === undefined ? await target.callable?.() : undefined
  const data = generatorData(request, called?.tools)
  const cases = await answerOf(use, () => ask({ role: 'generator', use, data, signal }))
  if (!use.startsWith('scripts:') && request.allowActions !== true) refuseActions(use, cases)
  return cases
}

/** The warning if the query asks for a count and a different number of cases came back. */
export function countWarnings({ use, params }: Pick<GenerateRequest, 'use' | 'params'>, cases: unknown[]): string[] {
  const { count } = params
  if (typeof count !== 'number' || count === cases.length) return []
  return [`${use}: asked for ${plural(count, 'case')}, got ${cases.length}`]
}

/** Chapter 4's row of the generator. */
export function generatorData(
  { params, target }: Pick<GenerateRequest, 'params' | 'target'>,
  called: readonly ToolSpec[] = [],
): Record<string, unknown> {
  const { count = DEFAULT_CASE_COUNT, ...rest } = params
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1) throw badCount(count)
  return {
    ...rest,
    target_agent: target.id,
    ...(target.description === undefined ? {} : { target_description: target.description }),
    // Prompts name it whether there are any or not.
    target_tools: target.tools ?? called,
    count,
  }
}

async function answerOf(use: string, call: () => Promise<unknown>): Promise<unknown[]> {
  try {
    return parseGeneratorAnswer(await call())
  } catch (error) {
    if (error instanceof UserError || !(error instanceof Error)) throw error
    throw generatorFailed(use, error)
  }
}

function refuseActions(use: string, cases: unknown[]): void {
  const problems = cases.flatMap((value, index) => actionsIn(value, `cases[${index}]`))
  if (problems.length === 0) return
  throw new UserError({
    code: 'GENERATED_ACTIONS',
    message: `cases written by ${use} want to run scripts or read files`,
    hint: 'generate with --dry-run -o cases.jsonl, review them, and run that file; or pass --allow-outside to trust the generator',
    problems,
  })
}

function badCount(count: unknown): UserError {
  return new UserError({
    code: 'BAD_GENERATOR_COUNT',
    message: `count must be a whole number of at least 1, found ${JSON.stringify(count)}`,
    hint: 'for example: -i "agents:workers.test.generator?count=10"',
  })
}

function generatorFailed(use: string, error: Error): UserError {
  const hint = 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined
  return new UserError({
    code: 'GENERATOR_FAILED',
    message: `generator error: ${clip(error.message, 600)}`,
    hint: hint ?? `${use} must answer with {"cases": [{"id": "G001", "input": "…", "assertions": […]}]}`,
    cause: error,
  })
}

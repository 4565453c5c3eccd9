// `-i agents:…` and `-i scripts:…`: the cases a generator produces, checked like any other.
import { UserError } from '../../errors.js'
import type { Agent } from '../../model/agent.js'
import { DEFAULT_TIMEOUT } from '../../config/options.js'
import type { CaseSource } from '../../model/source.js'
import type { AskHelper } from '../../pipeline/execute/conversation/contract.js'
import { casesAsWritten } from '../../pipeline/sources/as-written.js'
import { countWarnings, generateCases } from '../../pipeline/sources/generate.js'
import type { CheckOptions } from '../../pipeline/sources/check-values.js'
import { casesFromValues } from '../../pipeline/sources/values.js'
import type { Clock } from '../../time/clock.js'
import { boundBy } from '../../time/deadline.js'
import { parseDuration } from '../../base/duration.js'
import type { Settings } from '../settings.js'

export interface GeneratedInit {
  settings: Settings
  clock: Clock
  agent: Agent
  ask: AskHelper
  checks: CheckOptions
  signal: AbortSignal
}

export async function openGenerated({
  settings,
  clock,
  agent,
  ask,
  checks,
  signal,
}: GeneratedInit): Promise<CaseSource> {
  const { input, options, cwd } = settings
  const { params } = input
  const use = `${input.kind === 'generator_script' ? 'scripts' : 'agents'}:${input.value}`
  const query = new URLSearchParams(Object.entries(params).map(([key, value]): [string, string] => [key, `${value}`]))
  const label = query.size === 0 ? use : `${use}?${query.toString()}`
  const timeout = options.timeout ?? DEFAULT_TIMEOUT
  const bound = boundBy(signal, parseDuration(timeout), timeout, clock)
  // A dry run runs nothing: what a model wrote may be reviewed.
  const allowActions = options.allow_outside || options.dry_run
  try {
    const values = await generateCases({ use, params, target: agent, ask, allowActions, signal: bound.signal })
    const source = await casesFromValues(casesAsWritten(values, label), {
      kind: 'generator',
      label,
      dir: cwd,
      strict: options.strict,
      ...lookedAt(checks, options),
    })
    return { ...source, warnings: [...countWarnings({ use, params }, values), ...source.warnings] }
  } catch (error) {
    throw signal.aborted ? stopped(use, error) : error
  } finally {
    bound.clear()
  }
}

/** Checking that a helper exists loads its module: not in a dry run, for what a model wrote. */
function lookedAt({ checkHelper, ...checks }: CheckOptions, { dry_run }: Settings['options']): CheckOptions {
  return dry_run || !checkHelper ? checks : { ...checks, checkHelper }
}

function stopped(use: string, cause: unknown): UserError {
  return new UserError({
    code: 'STOPPED',
    message: `stopped while ${use} was generating the cases`,
    hint: 'no case was run',
    exitCode: 3,
    cause,
  })
}

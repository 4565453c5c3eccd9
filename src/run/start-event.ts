// The first line of a run: what is run, with what, as whom.
import { isDeepStrictEqual } from 'node:util'
import { EVENT_FORMAT, VARIANTS_FORMAT, type StartEvent } from '../model/event.js'
import { defined } from '../base/defined.js'
import { DEFAULT_OPTIONS, optionsWhere, type RunOptions } from '../config/options.js'
import { descriptionsHash } from '../config/read-descriptions.js'
import { version } from '../version.js'
import type { Prepared } from './prepare.js'
import { runAttemptOf, runGroupOf } from './run-group.js'
import type { Tested } from './unit/tested.js'

export function startEvent(prepared: Prepared, runId: string): StartEvent {
  const { work, cwd, io } = prepared
  const { options } = prepared
  const script = work.mode === 'script_test' ? work : undefined
  const cases = work.mode === 'agent' ? work : undefined
  const variants = cases && cases.tested.length > 1 ? cases.tested.map(variantOf) : undefined
  return defined({
    type: 'start' as const,
    format: variants ? VARIANTS_FORMAT : EVENT_FORMAT,
    timestamp: io.now().toISOString(),
    run_id: runId,
    mode: work.mode,
    agent_id: cases?.agent.id ?? script?.files[0]?.agent_id ?? '',
    agent_path: cases?.agent.path,
    connector: cases ? connectorOf(cases.tested[0]) : options.connector,
    input: work.label,
    input_hash: cases?.source.hash,
    run_group: runGroupOf(options, io.env),
    run_attempt: runAttemptOf(options, io.env),
    shard_plan_hash: prepared.selection.shard?.plan_hash,
    plan: { count: work.digest.count, digest: work.digest.toString(), options: verdictOptions(options) },
    total_cases: work.total,
    multi_turn: cases?.source.multi_turn,
    runs_per_case: options.runs,
    environment: prepared.environment,
    // Which cases an edit has selected is not an option, and yet they are not all.
    options: { ...recordedOptions(options), cwd, ...(prepared.selection.only?.has && { rerun: true }) },
    version: version(),
    helpers: cases?.helpers,
    script: script?.label,
    script_path: script?.files.map((file) => file.script_path).join(', '),
    variants,
    diff: prepared.diff,
  })
}

/** Where a fleet meets may contain a password, and be elsewhere when the run is resumed. */
function recordedOptions(options: RunOptions): Partial<RunOptions> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !GIVEN_AGAIN.has(name)))
}

const GIVEN_AGAIN = optionsWhere(({ rules }) => rules.resume === 'given again')

/** How often a case runs is always said. */
function verdictOptions(options: RunOptions): Partial<RunOptions> {
  const defaults: Record<string, unknown> = { ...DEFAULT_OPTIONS }
  const isTold = ([name, value]: [string, unknown]): boolean =>
    name === 'runs' || (ON_VERDICTS.has(name) && !isDeepStrictEqual(value, defaults[name]))
  return Object.fromEntries(Object.entries(options).filter(isTold))
}

const ON_VERDICTS = optionsWhere(({ rules }) => rules.bears !== undefined)

function connectorOf(tested: Tested | undefined): string | undefined {
  return tested?.spec.connector ?? tested?.agent.connector
}

function variantOf(tested: Tested): NonNullable<StartEvent['variants']>[number] {
  const { spec, agent } = tested
  const { name, preset, locale, env, options } = spec
  return defined({
    name,
    agent_id: agent.id,
    agent_path: agent.path,
    connector: connectorOf(tested),
    preset,
    locale,
    env: env && Object.keys(env),
    options,
    descriptions: spec.descriptions,
    descriptions_hash: descriptionsHash(spec),
    skills: agent.skills,
  })
}

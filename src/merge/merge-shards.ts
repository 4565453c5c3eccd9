// The shards of a run → the run as if it had been one. Nothing is kept about a case once its lines are written.
import { IdTable } from '../base/id-table.js'
import { defined } from '../base/defined.js'
import { show } from '../base/text.js'
import { UserError } from '../errors.js'
import type { ResultEvent, RunEvent, StartEvent, SummaryEvent } from '../model/event.js'
import { PlanDigest } from '../model/fingerprint.js'
import { minPassRateOf, stabilityStatus } from '../model/case-status.js'
import { readEvents } from '../pipeline/record/read-events.js'
import { caseKey, caseTitle, runKey } from '../model/run-key.js'
import { PRACTICAL } from '../pipeline/fold/statistics/practical.js'
import { createSummaryFold, type SummaryEnd, type SummaryInit } from '../pipeline/fold/summary.js'
import type { CheckedShards } from './check-shards.js'
import { groupsOf, type EventGroup, type ShardFile } from './read-shard.js'

/** The events of the whole run, start and summary included. */
export async function* mergeShards(checked: CheckedShards): AsyncGenerator<RunEvent> {
  const start = wholeStart(checked)
  const { run_id } = start
  const fold = createSummaryFold(foldInit(start))
  yield start
  fold.add(start)
  const seen = new IdTable()
  const digest = new PlanDigest()
  const failedBefore = await failedIn(checked.replaced)
  const parts = new Map(checked.shards.map((shard) => [shard, createSummaryFold(foldInit(shard.start))]))
  for await (const { group, shard } of inOrder(checked.shards)) {
    if (group.result && seen.add(runKey(group.result), shard.shard.index) > 0) throw doubled(group.result, shard)
    if (group.result) addTo(digest, group.result, start)
    for (const event of group.events) {
      parts.get(shard)?.add(event)
      const own = asOfOne(afterFailure(event, failedBefore), run_id)
      fold.add(own)
      yield own
    }
  }
  const unseen: string[] = []
  for (const [shard, part] of parts) {
    const found = part.summary(endOf({ ...checked, shards: [shard] }, shard.start))
    requireCounted(shard, found)
    unseen.push(...redUnseen(shard, found))
  }
  requirePlan(checked, start, digest)
  yield fold.summary(endOf({ ...checked, lacking: [...checked.lacking, ...unseen] }, start))
}

/** The lines of a shard must match its own summary. */
function requireCounted({ path, summary }: ShardFile, found: SummaryEvent): void {
  const wrong = (['passed', 'failed', 'skipped', 'not_shown', 'undetermined'] as const).find(
    (name) => summary !== undefined && (summary[name] ?? 0) !== (found[name] ?? 0),
  )
  if (!summary || wrong === undefined) return
  throw new UserError({
    code: 'DAMAGED_SHARD',
    message: `${path} has been changed: its summary counts ${summary[wrong] ?? 0} ${wrong}, its lines ${found[wrong] ?? 0}`,
    hint: 'run the shard again',
  })
}

/** Each case once, whatever its runs and variants. */
function addTo(digest: PlanDigest, result: ResultEvent, { variants }: StartEvent): void {
  const { id, run, variant, asked = '', judged = '' } = result
  if (run === 1 && variant === variants?.[0]?.name) digest.add({ id, skip: result.skip }, { asked, judged })
}

/** A shard that was resumed with `--force` may have results of cases that are no longer those of the plan. */
function requirePlan({ shards, lacking }: CheckedShards, { plan }: StartEvent, digest: PlanDigest): void {
  const isWhole = lacking.length === 0 && shards.every(({ summary }) => summary?.not_run === 0)
  if (!plan || !isWhole || (plan.count === digest.count && plan.digest === digest.toString())) return
  throw new UserError({
    code: 'DIFFERENT_RUNS',
    message: 'the results are not those of the cases that the shards were made from: some have changed since',
    hint: 'run the shards again from the same cases',
  })
}

/** Why a shard is red if its lines do not show it, such as a cost that has no price. */
function redUnseen({ shard, summary }: ShardFile, found: SummaryEvent): string[] {
  if (!summary || summary.exit_code === 0 || found.exit_code !== 0) return []
  return [`shard ${shard.index}/${shard.count}: ${summary.reasons?.join(', ') ?? `exit code ${summary.exit_code}`}`]
}

/** The cases that did not pass in earlier tries. A few bytes for each. */
async function failedIn(replaced: readonly ShardFile[]): Promise<IdTable> {
  const failed = new IdTable()
  for (const { path, start } of replaced)
    for await (const event of readEvents(path)) {
      if (event.type === 'stability' && stabilityStatus(event, minPassRateOf(start)) === 'failed')
        failed.add(caseKey(event), 1)
      if (event.type === 'result' && start.runs_per_case === 1 && event.status === 'failed')
        failed.add(caseKey(event), 1)
    }
  return failed
}

/** Passed only when its shard was run again. */
function afterFailure(event: RunEvent, failed: IdTable): RunEvent {
  if (event.type !== 'result' || event.status !== 'passed' || !failed.has(caseKey(event))) return event
  return { ...event, flaky: true }
}

function asOfOne(event: RunEvent, run_id: string): RunEvent {
  if (event.type !== 'case_start') return 'run_id' in event ? { ...event, run_id } : event
  const { position: _position, ...rest } = event
  return rest
}

function wholeStart({ shards, replaced, count }: CheckedShards): StartEvent {
  const [first] = shards
  if (!first) throw new Error('no shard to merge')
  const { shard: _shard, shard_plan: _plan, run_group: _group, ...options } = first.start.options
  const { shard_plan_hash: _hash, run_group: _name, run_attempt: _attempt, ...start } = first.start
  return {
    ...start,
    options,
    run_id: first.start.run_id,
    timestamp: shards.map(({ start: { timestamp } }) => timestamp).toSorted()[0] ?? first.start.timestamp,
    total_cases: sum(shards.map(({ start: { total_cases = 0 } }) => total_cases)),
    ...defined({ multi_turn: shards.some((each) => each.start.multi_turn) || undefined }),
    merged_from: shards.map(({ shard, start: { run_id, run_attempt } }) => {
      const before = replaced.filter((each) => each.shard.index === shard.index).map((each) => each.start.run_id)
      const replaces = before.length > 0 ? before : undefined
      return { shard: `${shard.index}/${count}`, run_id, ...defined({ attempt: run_attempt, replaces }) }
    }),
  }
}

/** The order in which one machine would have run them, as far as the shards have kept it. */
async function* inOrder(shards: readonly ShardFile[]): AsyncGenerator<{ group: EventGroup; shard: ShardFile }> {
  const readers: Reader[] = []
  for (const shard of shards) {
    const groups = groupsOf(shard.path)
    readers.push({ shard, groups, next: await groups.next() })
  }
  for (;;) {
    const [first] = readers.filter(({ next }) => !next.done).toSorted((a, b) => positionOf(a) - positionOf(b))
    if (!first || first.next.done) return
    yield { group: first.next.value, shard: first.shard }
    first.next = await first.groups.next()
  }
}

interface Reader {
  shard: ShardFile
  groups: AsyncGenerator<EventGroup, void>
  next: IteratorResult<EventGroup, void>
}

function positionOf({ next }: Reader): number {
  // Infinity minus Infinity is not a number.
  return Math.min(next.value?.position ?? Infinity, Number.MAX_SAFE_INTEGER)
}

function foldInit(start: StartEvent): SummaryInit {
  const { runs_per_case: runs, options, variants } = start
  const number = (key: string): number | undefined => {
    const value = options[key]
    return typeof value === 'number' ? value : undefined
  }
  return defined({
    run_id: start.run_id,
    runs,
    min_pass_rate: number('min_pass_rate'),
    threshold: number('threshold'),
    confidence: number('confidence'),
    gates: options,
    variants: variants?.map(({ name }) => name),
    practical: PRACTICAL,
  })
}

function endOf({ shards, lacking }: CheckedShards, { timestamp: began }: StartEvent): SummaryEnd {
  const summaries = shards.flatMap(({ summary }) => summary ?? [])
  const timestamp = latest(summaries) ?? began
  const stopped = [...lacking, ...shards.flatMap(whyShort)]
  const damage = shards.flatMap(whatBroke)
  const notRun = summaries.flatMap(({ not_run_ids = [] }) => not_run_ids)
  return defined({
    duration_ms: Math.max(0, Date.parse(timestamp) - Date.parse(began)),
    timestamp,
    total_cases: sum(shards.map(({ start: { total_cases = 0 } }) => total_cases)),
    stopped: stopped.length > 0 ? stopped.join('; ') : undefined,
    damage: damage.length > 0 ? damage.join('; ') : undefined,
    not_run_ids: notRun.length > 0 ? notRun : undefined,
    snapshots: addUp(summaries.map(({ snapshots }) => snapshots)),
    recording: addUp(summaries.map(({ recording }) => recording)),
    chaos: shards[0]?.start.options['chaos'] === undefined ? undefined : true,
  })
}

/** Cases that a shard was kept from running. */
function whyShort({ shard, summary }: ShardFile): string[] {
  if (!summary || summary.interrupted || summary.not_run === 0) return []
  return [`shard ${shard.index}/${shard.count}: ${summary.reasons?.join(', ') ?? 'cases not run'}`]
}

/** What made the results of a shard prove nothing applies to the whole, too. */
function whatBroke({ shard, summary }: ShardFile): string[] {
  if (!summary || summary.interrupted || summary.exit_code < 2) return []
  // No fault in one shard is not a problem as long as others had some: that is counted again.
  const reasons = (summary.reasons ?? []).filter((reason) => !reason.startsWith('--chaos put no fault'))
  if (reasons.length === 0 && (summary.reasons ?? []).length > 0) return []
  return [`shard ${shard.index}/${shard.count} ended with exit code ${summary.exit_code}: ${reasons.join(', ')}`]
}

/** Numbers are added, lists concatenated. */
function addUp<T extends object>(parts: ReadonlyArray<T | undefined>): T | undefined {
  let all: Record<string, unknown> | undefined
  for (const [key, value] of parts.flatMap((part) => Object.entries(part ?? {}))) {
    all ??= {}
    const before = all[key]
    if (typeof value === 'number') all[key] = (typeof before === 'number' ? before : 0) + value
    else if (Array.isArray(value)) all[key] = [...(Array.isArray(before) ? before : []), ...value]
  }
  return all as T | undefined
}

function latest(summaries: readonly SummaryEvent[]): string | undefined {
  return summaries
    .map(({ timestamp }) => timestamp)
    .toSorted()
    .at(-1)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function doubled(result: ResultEvent, { path }: ShardFile): UserError {
  return new UserError({
    code: 'DOUBLED_RESULT',
    message: `${path}: the result of ${show(caseTitle(result), 80)}, run ${result.run}, is in another shard as well`,
    hint: 'the shards were made from different cases or plans: run them again',
  })
}

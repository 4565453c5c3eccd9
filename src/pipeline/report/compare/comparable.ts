// Can two runs be compared at all, and what should the reader know before the numbers?
import { plural } from '../../../base/format.js'
import { show } from '../../../base/text.js'
import type { StartEvent } from '../../../model/event.js'
import type { Pairing } from './pair-up.js'
import { verdictsOf, type RunRecord } from './records.js'

/** Why nothing can be concluded; empty if the runs can be compared. */
export function cannotCompare(old: RunRecord, fresh: RunRecord, { pairs, changed }: Pairing): string[] {
  if (old.start.run_id === fresh.start.run_id) return [`both files hold the same run, ${old.start.run_id}`]
  if (old.disagreement !== undefined) return [`of the first run, ${old.disagreement}`]
  if (fresh.disagreement !== undefined) return [`of the second run, ${fresh.disagreement}`]
  const [was, is] = [shardOf(old), shardOf(fresh)]
  if (was !== is) return [`the first run is ${was ?? 'all cases'}, the second ${is ?? 'all cases'}`]
  if (pairs.length === 0 && changed.length > 0)
    return ['every case asks something else now: its input, options, user, attachments or replaced tools changed']
  if (pairs.length === 0) return ['the runs have no case in common']
  if (pairs.length * 4 <= old.cases.size)
    return [`only ${pairs.length} of the ${plural(old.cases.size, 'case')} of the first run are in the second`]
  for (const [name, { cases, summary }] of byName(old, fresh)) {
    if (cases.size * 4 <= summary.total)
      return [`the ${name} run was cut short: only ${cases.size} of its ${plural(summary.total, 'case')} have results`]
  }
  if (pairs.every(({ after }) => after.status === 'skipped' && !after.isNotShown))
    return ['every case is skipped in the second run']
  const before = [...old.cases.values()].filter((record) => verdictsOf(record) > 0).length
  const both = pairs.filter((pair) => verdictsOf(pair.before) > 0 && verdictsOf(pair.after) > 0).length
  if (before === 0) return ['no case reached a verdict in the first run']
  if (both * 4 <= before)
    return [`only ${both} of the ${plural(before, 'case')} with a verdict in the first run have one in the second`]
  return []
}

export function notesOf(old: RunRecord, fresh: RunRecord, pairing: Pairing): string[] {
  const notes = differentCases(pairing)
  const [was, is] = [old.start, fresh.start]
  if (was.variants || is.variants) notes.push(...differentVariants(was, is))
  else if (was.agent_id !== is.agent_id) notes.push(`different agents: ${was.agent_id} and ${is.agent_id}`)
  if (was.connector !== is.connector && !was.variants && !is.variants)
    notes.push(`different connectors: ${was.connector ?? 'none'} and ${is.connector ?? 'none'}`)
  const unprinted = byName(old, fresh).filter(([, { start }]) => !start.plan)
  if (unprinted.length > 0)
    notes.push(`no fingerprints in the ${unprinted.map(([name]) => name).join(' and ')} run: ${SEEN_IN_RESULTS}`)
  if (was.input_hash !== undefined && is.input_hash !== undefined && was.input_hash !== is.input_hash)
    notes.push('the case file changed between the runs')
  if (was.runs_per_case !== is.runs_per_case && was.runs_per_case !== 'auto' && is.runs_per_case !== 'auto')
    notes.push(`different runs per case: ${was.runs_per_case} and ${is.runs_per_case}`)
  if (was.options['chaos'] !== is.options['chaos'])
    notes.push(`different faults: --chaos ${faultsOf(old)} and ${faultsOf(fresh)}`)
  const [missed, missing] = [old, fresh].map(({ summary }) => summary.without?.join(', ') ?? 'nothing')
  if (missed !== missing) notes.push(`the first run was tested without ${missed}, the second without ${missing}`)
  for (const [name, run] of byName(old, fresh)) {
    if (!run.complete || run.summary.interrupted)
      notes.push(`the ${name} run was cut short: ${plural(run.cases.size, 'case')} with results`)
  }
  return notes
}

const SEEN_IN_RESULTS = 'changed cases are seen only as far as results show them'

function byName(old: RunRecord, fresh: RunRecord): Array<[name: string, run: RunRecord]> {
  return [
    ['first', old],
    ['second', fresh],
  ]
}

function differentVariants({ variants: old = [] }: StartEvent, { variants: fresh = [] }: StartEvent): string[] {
  const names = (all: typeof old): string =>
    all.length === 0 ? 'one without a name' : all.map(({ name }) => name).join(', ')
  const notes = names(old) === names(fresh) ? [] : [`different variants: ${names(old)} and ${names(fresh)}`]
  for (const now of fresh) {
    const before = old.find(({ name }) => name === now.name)
    if (before && whatOf(before) !== whatOf(now))
      notes.push(`the variant ${now.name} changed: ${whatOf(before)} and ${whatOf(now)}`)
  }
  return notes
}

function whatOf({ agent_id, connector, preset, locale, options }: NonNullable<StartEvent['variants']>[number]): string {
  const settings = { connector, preset, locale, ...options }
  const parts = Object.entries(settings).flatMap(([key, value]) =>
    value === undefined ? [] : `${key} ${show(value, 40)}`,
  )
  return [agent_id, ...parts].join(', ')
}

function differentCases({ pairs, changed, onlyBefore, onlyAfter }: Pairing): string[] {
  const parts = [
    onlyBefore.length > 0 && `${onlyBefore.length} only before`,
    onlyAfter.length > 0 && `${onlyAfter.length} only after`,
    changed.length > 0 && `${changed.length} that ask something else under the same id`,
  ].filter((part) => part !== false)
  if (parts.length === 0) return []
  return [`the runs have different cases: ${parts.join(', ')}; the numbers are of the ${pairs.length} in both`]
}

function faultsOf({ start }: RunRecord): string {
  const { chaos } = start.options
  return chaos === undefined || chaos === false ? 'off' : chaos === true ? 'on' : show(chaos, 60)
}

function shardOf({ start }: RunRecord): string | undefined {
  const { shard } = start.options
  return typeof shard === 'string' && shard !== '1/1' ? `shard ${shard}` : undefined
}

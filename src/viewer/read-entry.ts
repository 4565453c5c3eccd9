// One line of the list of runs, built from the start and the end of an event file.
import { basename } from 'node:path'
import { defined } from '../base/defined.js'
import type { RunEntry } from '../model/run-entry.js'
import { isPart } from '../pipeline/record/run-store.js'
import { readEdges } from '../pipeline/record/read-parts.js'

/** Undefined for a file that is not a run. */
export async function readEntry(path: string, id: string): Promise<RunEntry | undefined> {
  const edges = await readEdges(path)
  if (!edges) return undefined
  const { start, summary } = edges
  return defined({
    id,
    file: basename(path),
    run_id: start.run_id,
    timestamp: start.timestamp,
    agent_id: start.agent_id,
    mode: start.mode,
    input: start.script ?? start.input,
    connector: start.variants ? undefined : start.connector,
    variants: start.variants?.length,
    part: isPart({ options: start.options ?? {} }) || undefined,
    total: summary?.total,
    passed: summary?.passed,
    failed: summary?.failed,
    skipped: summary?.skipped,
    not_shown: summary?.not_shown,
    undetermined: summary?.undetermined,
    duration_ms: summary?.duration_ms,
    cost_dollars: summary?.cost_dollars,
    exit_code: summary?.exit_code,
  })
}

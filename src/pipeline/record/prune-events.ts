// `.viva/runs` does not grow forever: of each suite the newest runs stay, and whatever the next run needs to know.
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { newestFirst } from './newest-first.js'
import { ownEventFiles } from '../../files/runs-folder.js'
import type { StartEvent } from '../../model/event.js'
import { isWholeRun } from './past-verdicts.js'
import { readEdges } from './read-parts.js'

/**
 * A run is removed if there are `keep` newer ones of its suite, one of which ran every case: so the newest verdict of every
 * case stays. A run without a summary is under way or can be resumed, and stays too.
 */
export async function pruneEventFiles(folder: string, keep: number): Promise<string[]> {
  const suites = new Map<string, Array<{ path: string; timestamp: string; isWhole: boolean; isEnded: boolean }>>()
  for (const path of ownEventFiles(folder)) {
    const edges = await readEdges(path).catch(() => undefined)
    if (!edges || isNamed(edges.start, path)) continue
    const { start, summary } = edges
    const suite = suiteOf(start)
    const run = { path, timestamp: start.timestamp, isWhole: isWholeRun(edges), isEnded: summary !== undefined }
    suites.set(suite, [...(suites.get(suite) ?? []), run])
  }
  const gone: string[] = []
  for (const runs of suites.values()) {
    const newest = runs.toSorted(newestFirst)
    const whole = newest.findIndex(({ isWhole }) => isWhole)
    if (whole < 0) continue
    gone.push(...newest.slice(Math.max(keep, whole + 1)).flatMap(({ path, isEnded }) => (isEnded ? [path] : [])))
  }
  for (const path of gone) await rm(path, { force: true })
  return gone
}

/** With `-o`, whatever it is called. */
function isNamed({ options }: StartEvent, path: string): boolean {
  const { output, cwd } = options
  const named: unknown[] = Array.isArray(output) ? output : []
  return named.some((name) => typeof name === 'string' && resolve(String(cwd), name) === path)
}

function suiteOf({ mode, input, options, agent_id, variants = [] }: StartEvent): string {
  return JSON.stringify([mode, options['cwd'], input, agent_id, variants.map((variant) => variant.agent_id)])
}

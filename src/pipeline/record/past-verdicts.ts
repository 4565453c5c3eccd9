// What earlier runs of an input say about its cases: the newest verdict of each, from event files and the history.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { newestFirst } from './newest-first.js'
import { IdTable } from '../../base/id-table.js'
import { minPassRateOf, stabilityStatus } from '../../model/case-status.js'
import { isNotShown } from '../../model/status.js'
import type { ResultEvent, StartEvent, SummaryEvent } from '../../model/event.js'
import type { Fingerprint } from '../../model/fingerprint.js'
import { caseKey, type CaseKey } from '../../model/run-key.js'
import { readEvents } from './read-events.js'
import { readEdges } from './read-parts.js'
import { isPart, listRuns, readRunCases, type HistoryRun } from './run-store.js'

export interface PastInit {
  /** Folders that may hold event files. */
  folders: readonly string[]
  historyDir: string
  /** What a run says about the cases in question: undefined if it had a different input or different agents. */
  relationOf(start: StartEvent): Relation | undefined
  isOursInHistory(run: HistoryRun): boolean
  /** A resumed run knows what was known when it began. */
  before?: { timestamp: string; run_id: string } | undefined
}

/** `same`: it had this input. Otherwise it had some files, which may include ours. */
export type Relation = 'same' | { has(file: string | undefined): boolean; isOnly: boolean }

export interface PastVerdicts {
  /** The newest run; undefined if none is known. */
  last: { where: string; timestamp: string } | undefined
  /** How many cases did not pass when they last reached a verdict. */
  failed: number
  /** By id alone: with several variants, any of them. `print`: a case that has changed since counts as failed. */
  hasFailed(id: string, print?: Fingerprint): boolean
  /** Whether it asks or checks something else than when it was last run, as far as that is known. */
  hasChanged(id: string, print: Fingerprint | undefined): boolean
  isKnown(id: string): boolean
  /** Milliseconds, when it last reached a verdict. */
  duration(id: string): number | undefined
}

// More would only be read for someone who has never run all cases.
const MOST_RUNS = 500
const MOST_FILES = 1000

export async function readPastVerdicts(init: PastInit): Promise<PastVerdicts> {
  const runs = (await findRuns(init)).slice(0, MOST_RUNS)
  const fold = new PastFold()
  let last: PastRun | undefined
  for (const run of runs) {
    const isAbout = await run.read(fold)
    if (isAbout) last ??= run
    // Anything older has been run again since.
    if (run.isWhole && isAbout) break
  }
  return fold.verdicts(last)
}

interface PastRun {
  run_id: string
  timestamp: string
  where: string
  /** Every case of the input had its verdict. */
  isWhole: boolean
  /** Whether it covered any of the cases in question. */
  read(fold: PastFold): Promise<boolean>
}

/** Newest first. */
async function findRuns(init: PastInit): Promise<PastRun[]> {
  const { before } = init
  const runs = new Map<string, PastRun>()
  for (const run of await listRuns(init.historyDir)) {
    if (init.isOursInHistory(run)) runs.set(run.run_id, ofHistory(run, init.historyDir))
  }
  for (const path of await eventFiles(init.folders)) {
    const edges = await readEdges(path)
    const relation = edges && init.relationOf(edges.start)
    if (relation) runs.set(edges.start.run_id, ofFile(path, edges, relation))
  }
  return [...runs.values()]
    .filter(({ run_id, timestamp }) => !before || (run_id !== before.run_id && timestamp <= before.timestamp))
    .toSorted(newestFirst)
}

async function eventFiles(folders: readonly string[]): Promise<string[]> {
  const found = new Map<string, number>()
  for (const folder of new Set(folders)) {
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.endsWith('.jsonl')) continue
      const path = join(folder, name)
      const info = await stat(path).catch(() => undefined)
      if (info?.isFile()) found.set(path, info.mtimeMs)
    }
  }
  return [...found]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST_FILES)
    .map(([path]) => path)
}

function ofFile(path: string, edges: NonNullable<Awaited<ReturnType<typeof readEdges>>>, relation: Relation): PastRun {
  const { start } = edges
  return {
    run_id: start.run_id,
    timestamp: start.timestamp,
    where: path,
    isWhole: isWholeRun(edges) && (relation === 'same' || relation.isOnly),
    read: (fold) => readFile(path, start, relation, fold),
  }
}

/** Every case of its input had its verdict. */
export function isWholeRun({ start, summary }: { start: StartEvent; summary: SummaryEvent | undefined }): boolean {
  return summary !== undefined && summary.not_run === 0 && !summary.interrupted && !isPart(start)
}

function ofHistory(run: HistoryRun, dir: string): PastRun {
  return {
    run_id: run.run_id,
    timestamp: run.timestamp,
    where: `the history, run ${run.run_id}`,
    isWhole: run.part !== true && run.not_run === 0 && !run.interrupted,
    read: async (fold) => {
      for (const item of await readRunCases(dir, run.run_id))
        fold.add(item, isNotShown(item) ? 'failed' : item.status, item.duration_ms)
      return true
    },
  }
}

async function readFile(path: string, start: StartEvent, relation: Relation, fold: PastFold): Promise<boolean> {
  const isRepeated = start.runs_per_case !== 1
  const least = minPassRateOf(start)
  // Such a case has passed, and yet the run was red because of it. As with one that was not shown.
  const gate = start.options['fail_on_flaky']
  const failsFlaky = gate === true || gate === 'transport'
  const isRetried = ({ api_retries = 0 }: ResultEvent): boolean => gate === 'transport' && api_retries > 0
  let isAbout = relation === 'same'
  /** Cases of other files; their aggregate lines do not say which file. */
  const others = new IdTable()
  /** Runs of cases that were cut short. */
  const open = new Map<CaseKey, { result: ResultEvent; hasFailed: boolean }>()
  for await (const event of readEvents(path)) {
    if (event.type === 'stability') {
      const key = caseKey(event)
      if (others.has(key)) continue
      const isFlaky = open.get(key)?.hasFailed === true || (event.passed > 0 && event.passed < event.runs)
      open.delete(key)
      const status = stabilityStatus(event, least)
      const isRed = (status === 'passed' && isFlaky && failsFlaky) || isNotShown(event)
      fold.add(event, isRed ? 'failed' : status, event.avg_duration_ms)
    }
    if (event.type !== 'result') continue
    if (relation !== 'same' && !relation.has(event.file)) {
      others.add(caseKey(event), 1)
      continue
    }
    isAbout = true
    const hasFailed =
      event.status === 'failed' || isNotShown(event) || (event.flaky === true && failsFlaky) || isRetried(event)
    if (!isRepeated) {
      if (event.status !== 'skipped' || event.skip || hasFailed)
        fold.add(event, hasFailed ? 'failed' : event.status, event.duration_ms)
    } else {
      const key = caseKey(event)
      open.set(key, { result: event, hasFailed: hasFailed || open.get(key)?.hasFailed === true })
    }
  }
  // A few passes among several runs prove nothing; one failure is worth another look.
  for (const { result, hasFailed } of open.values()) if (hasFailed) fold.add(result, 'failed', result.duration_ms)
  return isAbout
}

interface PastCase extends Partial<Fingerprint> {
  id: string
  variant?: string | undefined
}

function printKey(id: string, { asked, judged }: Fingerprint): string {
  return `${asked} ${judged} ${id}`
}

/** Filled from the newest run to the oldest: what is known about a case stays. A few bytes for each. */
class PastFold {
  readonly #seen = new IdTable()
  /** With its milliseconds. */
  readonly #known = new IdTable()
  readonly #failing = new IdTable()
  #failed = 0
  /** Ids whose fingerprint is known, and the fingerprints. */
  readonly #printed = new IdTable()
  readonly #prints = new IdTable()

  add({ id, variant, asked, judged }: PastCase, status: string, duration: number): void {
    if (this.#seen.add(caseKey({ id, variant }), 1) !== 0) return
    if (asked !== undefined && judged !== undefined && this.#printed.add(id, 1) === 0)
      this.#prints.add(printKey(id, { asked, judged }), 1)
    const milliseconds = Number.isFinite(duration) ? Math.min(Math.max(Math.round(duration), 0), 0xffff_fffe) : 0
    this.#known.add(id, milliseconds + 1)
    if (status !== 'failed' && status !== 'undetermined') return
    if (this.#failing.add(id, 1) === 0) this.#failed += 1
  }

  #hasChanged(id: string, print: Fingerprint | undefined): boolean {
    return print !== undefined && this.#printed.has(id) && !this.#prints.has(printKey(id, print))
  }

  verdicts(last: PastRun | undefined): PastVerdicts {
    return {
      last: last && { where: last.where, timestamp: last.timestamp },
      failed: this.#failed,
      hasFailed: (id, print) => this.#failing.has(id) || this.#hasChanged(id, print),
      hasChanged: (id, print) => this.#hasChanged(id, print),
      isKnown: (id) => this.#known.has(id),
      duration: (id) => {
        const kept = this.#known.lineOf(id)
        return kept === 0 ? undefined : kept - 1
      },
    }
  }
}

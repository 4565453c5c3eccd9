// How one case fared in the runs of a folder.
import type { ResultEvent, StartEvent } from '../model/event.js'
import { caseKey, type CaseName } from '../model/run-key.js'
import { defined } from '../base/defined.js'
import { readEvents } from '../pipeline/record/read-events.js'
import { caseFileOf, type PointOfInput } from './stored-history.js'

const MOST_RUNS = 40

export async function readHistory(paths: string[], name: CaseName): Promise<PointOfInput[]> {
  const points: PointOfInput[] = []
  for (const path of paths.slice(-MOST_RUNS)) {
    const point = await pointOf(path, name).catch(() => undefined)
    if (point) points.push(point)
  }
  return points
}

async function pointOf(path: string, name: CaseName): Promise<PointOfInput | undefined> {
  let start: StartEvent | undefined
  const results: ResultEvent[] = []
  // Most lines are of other cases: only those that name this one are parsed.
  const needle = `"id":${JSON.stringify(name.id)}`
  const wanted = (text: string) => text.includes(needle) && text.includes('"type":"result"')
  for await (const event of readEvents(path, wanted)) {
    if (event.type === 'start') start = event
    else if (event.type === 'result' && caseKey(event) === caseKey(name)) results.push(event)
  }
  return start && results.length > 0 ? summarise(start, results) : undefined
}

function summarise(start: StartEvent, results: ResultEvent[]): PointOfInput {
  const passed = results.filter((result) => result.status === 'passed').length
  const worst = results.find((result) => result.status === 'failed') ?? results[0]
  const costs = results.flatMap((result) => result.cost_dollars ?? [])
  return defined({
    run_id: start.run_id,
    timestamp: start.timestamp,
    input: start.script ?? caseFileOf(start.input, start.options['cwd']),
    status: worst?.status ?? 'skipped',
    duration_ms: results.reduce((sum, result) => sum + result.duration_ms, 0) / results.length,
    pass_rate: (passed / results.length) * 100,
    cost_dollars: costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0),
  })
}

// One report in a process of its own: prints its peak memory, time and size as JSON.
import { statSync } from 'node:fs'
import { recordingOf } from '../../src/pipeline/record/read-events.js'
import { recordRun } from '../../src/pipeline/record/run-store.js'
import { compareRuns } from '../../src/pipeline/report/compare/compare.js'
import { comparisonText } from '../../src/pipeline/report/compare/formats.js'
import { reporterByName } from '../../src/pipeline/report/registry.js'
import { writeReport, writeText } from '../../src/pipeline/report/write-report.js'
import type { ResultEvent } from '../../src/model/event.js'
import type { Recording } from '../../src/pipeline/report/recording.js'
import { madeRun } from '../../test/support/events.js'

const [format = '', from = '', to = '', count = '0'] = process.argv.slice(2)
const started = performance.now()
await work()
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
process.stdout.write(
  JSON.stringify({
    format,
    peak_mb: Math.round(maxRSS / 1024),
    seconds: Number(((performance.now() - started) / 1000).toFixed(1)),
    cpu_seconds: Number(((userCPUTime + systemCPUTime) / 1e6).toFixed(1)),
    output_mb: Math.round(statSync(to).size / 1e5) / 10,
  }),
)

async function work(): Promise<void> {
  if (format === 'make') return writeReport(await reporterByName('jsonl'), madeRun({ cases: Number(count) }), to)
  if (format === 'make-talk') return writeReport(await reporterByName('jsonl'), talking(Number(count)), to)
  if (format === 'history') {
    await recordRun(recordingOf(from), to)
    return
  }
  if (format === 'compare') {
    const { comparison } = await compareRuns(
      recordingOf(from),
      madeRun({ cases: Number(count), seed: 2, run_id: 'run-other' }),
    )
    return writeText(to, comparisonText(comparison, 'markdown'))
  }
  return writeReport(await reporterByName(format), recordingOf(from), to)
}

/** Each case a conversation of ten turns: twenty messages. */
function talking(cases: number): Recording {
  const { events } = madeRun({ cases })
  return {
    async *events() {
      for await (const event of events()) yield event.type === 'result' ? { ...event, ...conversation(event) } : event
    },
  }
}

function conversation({ input, output = '' }: ResultEvent): Pick<ResultEvent, 'turns' | 'total_turns'> {
  const turns = Array.from({ length: 10 }, (_turn, index) => ({
    turn: index + 1,
    input_source: 'static' as const,
    status: 'passed' as const,
    input: `${index + 1}. ${String(input)}`,
    output: `${String(output)} ${index + 1}`,
    duration_ms: 40,
    tool_calls: index % 3 === 0 ? [{ name: 'find_invoice', args: { number: index }, result: { found: true } }] : [],
  }))
  return { turns, total_turns: turns.length }
}

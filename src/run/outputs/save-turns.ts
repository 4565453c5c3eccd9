// `--save-turns`: conversations a person led, as a case file that runs without one.
import type { ResultEvent } from '../../model/event.js'
import type { TestCase } from '../../model/case.js'
import { staticTurnsCase, wasLedByPerson } from '../../pipeline/execute/conversation/save-turns.js'
import type { Recording } from '../../pipeline/report/recording.js'
import { writeChunks } from '../../pipeline/report/write-report.js'
import type { Prepared } from '../prepare.js'
import type { Work } from '../work.js'

/** False if no person led a conversation: then nothing is written. */
export async function saveTurns(recording: Recording, { work, redactor }: Prepared, path: string): Promise<boolean> {
  const led = await ledByPerson(recording)
  if (led.length === 0) return false
  const written = await writtenCases(work, new Set(led.map((result) => result.id)))
  const cases = led.map((result) => redactor.value(staticTurnsCase(result, written.get(result.id))))
  await writeChunks(
    path,
    cases.map((value) => `${JSON.stringify(value)}\n`),
  )
  return true
}

async function ledByPerson(recording: Recording): Promise<ResultEvent[]> {
  const led: ResultEvent[] = []
  for await (const event of recording.events()) if (event.type === 'result' && wasLedByPerson(event)) led.push(event)
  return led
}

/** The results echo little of what the author wrote; the source still has all of it. */
async function writtenCases(work: Work, ids: Set<string>): Promise<Map<string, TestCase>> {
  const found = new Map<string, TestCase>()
  if (work.mode !== 'agent') return found
  for await (const batch of work.source.cases())
    for (const { testCase } of batch) if (ids.has(testCase.id)) found.set(testCase.id, testCase)
  return found
}

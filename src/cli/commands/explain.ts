// `viva explain`: why a case did not pass, from the newest run or a given one; or what an error code means.
import { existsSync } from 'node:fs'
import { formatCount, plural } from '../../base/format.js'
import { pathSeenFrom } from '../../files/inside.js'
import { findEventFile } from '../../pipeline/record/find-events.js'
import { recordingOf } from '../../pipeline/record/read-events.js'
import { explainRun, type ExplainedRun } from '../../pipeline/report/explain/explain-run.js'
import { explanationText } from '../../pipeline/report/explain/explain-text.js'
import type { CommandCall } from '../command.js'
import { print } from '../say.js'
import { programOf } from '../screen.js'
import { stdout } from '../terminal.js'

const EXPLAINED = 10

export async function explain({ args, flags }: CommandCall): Promise<number> {
  const { errorPage } = await import('../error-pages.js')
  const [first, second] = args
  const page = first === undefined || second !== undefined ? undefined : errorPage(first)
  if (page !== undefined) return print(page)
  const isFile =
    first !== undefined && second === undefined && (/\.jsonl$|^latest(?:~\d+)?$/.test(first) || existsSync(first))
  const events = await findEventFile(isFile ? first : (second ?? 'latest'), process.cwd())
  const case_id = isFile ? undefined : first
  const found = await explainRun(recordingOf(events), { case_id, limit: EXPLAINED })
  if (flags['json'] === true) {
    stdout.json(
      `${JSON.stringify(
        found.cases.map(({ explanation }) => explanation),
        null,
        2,
      )}\n`,
    )
    return 0
  }
  const program = programOf(process.env)
  const texts = found.cases.map(({ explanation }) => explanationText(explanation, { program }))
  return print([runLine(found, pathSeenFrom(process.cwd(), events)), ...texts, ...othersText(found)].join('\n'))
}

/** Which run this is about: the newest one may not be the one that is meant. */
function runLine({ overview: { start, listed, complete } }: ExplainedRun, path: string): string {
  const { total, not_green } = listed
  const verdict =
    not_green === 0
      ? `all ${formatCount(total)} are green`
      : `${formatCount(not_green)} of ${plural(total, 'case')} did not pass`
  const state = complete ? '' : '; the run was cut off, or is still going on'
  return `${start.agent_id} · ${start.timestamp.slice(0, 16).replace('T', ' ')} · ${path}\n${verdict}${state}\n`
}

function othersText({ others }: ExplainedRun): string[] {
  if (others.length === 0) return []
  return [
    `${plural(others.length, 'more case')} did not pass: ${others.slice(0, 20).join(', ')}${others.length > 20 ? ' …' : ''}\n`,
  ]
}

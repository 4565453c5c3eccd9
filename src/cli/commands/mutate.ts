// `viva mutate`: what an agent could do worse without a failing test.
import { formatPercent, plural } from '../../base/format.js'
import { prettyJson } from '../../base/json/pretty-json.js'
import { requireNotRead } from '../../files/same-file.js'
import type { ResultEvent } from '../../model/event.js'
import { writeText } from '../../pipeline/report/write-report.js'
import { mutateSuite } from '../../suite/mutate/mutate.js'
import { htmlText } from '../../suite/mutate/html.js'
import { isForJudges, type OpenMutant } from '../../suite/mutate/open-mutants.js'
import { MutationFold, type MutationReport } from '../../suite/mutate/report.js'
import { consoleText, markdownText } from '../../suite/mutate/text.js'
import { pendingText } from '../../suite/pending.js'
import { openAgentRun, openSuite, type AgentRun } from '../../suite/read-suite.js'
import type { CommandCall } from '../command.js'
import {
  eventFiles,
  giveReport,
  listFlag,
  percentFlag,
  reportFiles,
  requireTogether,
  type ReportFormat,
} from '../suite-report.js'
import { stderr } from '../terminal.js'

/** Questions to judges cost money: as many as this, unless more are asked for. */
const MOST_ASKED = 200
const OF_JUDGES = ['judge', 'max_asked', 'max_cost', 'record', 'replay', 'force']

const TEXTS: Record<ReportFormat, (report: MutationReport) => string> = {
  console: consoleText,
  json: (report) => `${prettyJson(report)}\n`,
  markdown: markdownText,
  html: htmlText,
}

export async function mutate({ args, flags }: CommandCall): Promise<number> {
  if (flags['judges'] !== true) requireTogether(flags, OF_JUDGES, '--judges')
  const files = reportFiles(flags)
  const least = percentFlag('--min-score', flags['min_score'])
  const events = await eventFiles(args)
  const bad = await eventFiles(listFlag(flags, 'against'))
  const write = flags['write'] as string | undefined
  requireNotRead([...files.map(({ path }) => path), ...(write === undefined ? [] : [write])], [...events, ...bad])
  const report = await examine(events, bad, flags)
  if (write !== undefined) await writePending(write, report)
  await giveReport(report, TEXTS, files, flags)
  return gate(report, least)
}

export async function examine(events: string[], bad: string[], flags: CommandCall['flags']): Promise<MutationReport> {
  const input = flags['input'] as string[] | undefined
  const variant = flags['variant'] as string | undefined
  const suite = await openSuite({ events, input, variant, cwd: process.cwd() })
  const known: AgentRun[] = []
  try {
    for (const path of bad) known.push(await openAgentRun(path, variant))
    const fold = new MutationFold({ input: suite.source.label, agent_id: suite.start.agent_id })
    const badRuns = (id: string): ResultEvent[] => known.flatMap((run) => run.resultsOf(id))
    const most = flags['judges'] === true ? Number(flags['max_asked'] ?? MOST_ASKED) : 0
    const open: OpenMutant[] = []
    let left = 0
    const onOpen = (mutant: OpenMutant): void => {
      if (open.length < most && isForJudges(mutant)) open.push(mutant)
      else left++
    }
    for await (const { testCase, found } of mutateSuite(suite, {
      ...(known.length > 0 && { badRuns }),
      ...(most > 0 && { onOpen }),
    }))
      fold.add(testCase, found)
    const lost = most > 0 ? await decide(fold, open, suite.source.label, flags) : 0
    if (left > 0) stderr.write(`${plural(left, 'mutant')} left open: beyond --max-asked, or not for judges alone\n`)
    return { ...fold.report(), ...(lost > 0 && { no_verdict: lost }) }
  } finally {
    for (const index of known) index.close()
    await suite.close()
  }
}

async function decide(
  fold: MutationFold,
  open: readonly OpenMutant[],
  file: string,
  flags: CommandCall['flags'],
): Promise<number> {
  const { askJudges } = await import('./mutate-judges.js')
  const verdicts = await askJudges(open, file, flags)
  for (const [at, { testCase, survivor }] of open.entries()) {
    const verdict = verdicts[at]
    if (verdict) fold.decide(testCase.id, survivor, verdict)
  }
  return open.filter((_, at) => verdicts[at] === undefined).length
}

async function writePending(path: string, { proposals, input }: MutationReport): Promise<void> {
  const pending = proposals.map(({ id, file, ...rest }) => ({ id, file: file ?? input, ...rest }))
  await writeText(path, pendingText(pending))
  stderr.write(`Proposals: ${path} (viva mine --review ${path})\n`)
}

/** A suite of which nothing is known has not reached any score; a judge that was asked and gave no verdict has noticed nothing. */
function gate({ score, vacuous, killed, survived, no_verdict = 0 }: MutationReport, least: number | undefined): number {
  if (least === undefined) return 0
  const surely = (100 * killed) / (killed + survived + no_verdict)
  if (score !== undefined && score >= least && (no_verdict === 0 || surely >= least)) return 0
  const open = vacuous.filter(({ accepted }) => accepted === undefined).length
  const unknown = no_verdict > 0 ? `; judges gave no verdict on ${no_verdict} more` : ''
  const also = `${unknown}${open > 0 ? `; ${open} vacuous` : ''}`
  stderr.write(
    `--min-score ${formatPercent(least)}: the score is ${score === undefined ? 'unknown' : formatPercent(score)}${also}\n`,
  )
  return 1
}

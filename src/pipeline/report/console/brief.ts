// The console of `viva test`: a line for each finished case, then the failures by cause, the totals and what to do next.
import { formatDuration } from '../../../base/duration.js'
import { plural } from '../../../base/format.js'
import { preview } from '../../../base/text.js'
import type { ErrorEvent, LogEvent, ResultEvent, RunEvent, StabilityEvent, StartEvent } from '../../../model/event.js'
import { minPassRateOf, stabilityStatus } from '../../../model/case-status.js'
import { caseTitle } from '../../../model/run-key.js'
import { labelText } from '../../../model/stability-label.js'
import { isNotShown, type CaseStatus } from '../../../model/status.js'
import { scriptTitle } from '../cases.js'
import type { Screen } from '../recording.js'
import { indented, noCommand } from './assertion-lines.js'
import { caseBlock } from './classic/case-block.js'
import { scriptBlock } from './classic/script-block.js'
import type { ConsoleText } from './console-text.js'
import { choiceLines } from './choice-lines.js'
import { Failures } from './failures.js'
import { noticeLines } from './notices.js'
import { paint } from './paint.js'
import { headerLine, totalsLines } from './totals.js'
import { variantHeader, VariantLines, variantTable } from './variant-lines.js'

/**
 * On a terminal, more passing cases than this get no line: they would push everything else off a screen of some 40 rows,
 * and the progress counts them. A log keeps one line for each.
 */
const LINES_UP_TO = 30

export function createBriefText(screen: Screen): ConsoleText {
  let start: StartEvent | undefined
  let variants: VariantLines | undefined
  let failures: Failures | undefined
  let passed = 0

  const keep = (event: RunEvent): void => {
    if (event.type === 'result' || event.type === 'stability') failures?.add(event)
  }
  const isMany = (): boolean => screen.brief === true && (start?.total_cases ?? passed) > LINES_UP_TO

  const caseText = (event: ResultEvent | StabilityEvent, begun: StartEvent): string => {
    const isRepeated = begun.runs_per_case !== 1
    if (event.type === 'result' && isRepeated) return screen.verbose ? blockOf(event, begun, screen) : ''
    const status = statusOf(event, begun)
    const verbose = screen.verbose && event.type === 'result' ? blockOf(event, begun, screen) : undefined
    if (variants) return `${verbose ?? ''}${variants.add(event)}`
    if (verbose !== undefined) return verbose
    if (status === 'passed') passed += 1
    if (status === 'passed' && !deservesALook(event) && isMany()) return ''
    return caseLine(event, status, begun, screen)
  }

  return {
    recall: (event) => {
      keep(event)
      if (event.type === 'stability' || (event.type === 'result' && start?.runs_per_case === 1)) variants?.add(event)
    },
    textOf: (event) => {
      keep(event)
      switch (event.type) {
        case 'start':
          start = event
          failures = new Failures(event, screen)
          if (event.variants) variants = new VariantLines(event, screen)
          return screen.noHeader === true ? undefined : headerText(event, screen)
        case 'result':
        case 'stability':
          return start && caseText(event, start)
        case 'error':
          return errorText(event, screen)
        case 'log':
          return screen.verbose ? logText(event) : undefined
        case 'summary': {
          if (!start) return undefined
          const lines = [
            ...(failures?.lines() ?? []),
            ...variantTable(event),
            ...choiceLines(event, screen),
            '',
            ...totalsLines(event, start, screen),
            ...(failures?.blameLines() ?? []),
            ...noticeLines(event, start, screen),
            ...(failures?.rerunLines() ?? []),
          ]
          return `${variants?.rest() ?? ''}${lines.join('\n')}\n`
        }
        case 'case_start':
        case 'orchestrator':
          return undefined
      }
    },
  }
}

function headerText(start: StartEvent, screen: Screen): string {
  const lines = [
    headerLine(start, screen),
    ...(start.variants ? variantHeader(start).map((line) => line.replace('ℹ ', '  ')) : []),
  ]
  return `${lines.join('\n')}\n\n`
}

function statusOf(event: ResultEvent | StabilityEvent, start: StartEvent): CaseStatus {
  return event.type === 'result' ? event.status : stabilityStatus(event, minPassRateOf(start))
}

function caseLine(event: ResultEvent | StabilityEvent, status: CaseStatus, start: StartEvent, screen: Screen): string {
  const color = paint(screen.color)
  const title = start.mode === 'script_test' ? scriptTitle(event, start) : caseTitle(event)
  const name = event.name === undefined || title.endsWith(event.name) ? '' : ` ${preview(event.name, 100)}`
  const label = `[${preview(title, 100)}]${name}`
  const mark = {
    passed: color.green('✓'),
    failed: color.red('✗'),
    skipped: color.yellow('○'),
    undetermined: color.yellow('?'),
  }[status]
  if (status === 'skipped') {
    const reason = event.skip_reason === undefined ? '' : `: ${preview(event.skip_reason)}`
    return `${mark} ${label} ${isNotShown(event) ? 'not shown' : 'skipped'}${reason}\n`
  }
  const figures = event.type === 'result' ? ` (${figuresOf(event)})` : ` · ${runsText(event)}`
  return `${mark} ${label}${color.dim(figures)}\n${remarks(event, screen)}`
}

function figuresOf({ turns, duration_ms }: ResultEvent): string {
  const taken = turns?.filter(({ status }) => status !== 'not_run').length
  return `${taken === undefined ? '' : `${plural(taken, 'turn')}, `}${formatDuration(duration_ms)}`
}

function runsText(event: StabilityEvent): string {
  const lost = event.runs - (event.verdict_runs ?? event.runs)
  const errors = lost === 0 ? '' : `, ${plural(lost, 'run')} without a verdict`
  return `${event.passed}/${event.runs} passed, ${labelText(event)}${errors}`
}

function blockOf(result: ResultEvent, start: StartEvent, screen: Screen): string {
  return start.mode === 'script_test'
    ? scriptBlock({ ...result, name: scriptTitle(result, start) }, screen)
    : caseBlock(result, screen)
}

/** It passed with a remark. */
function deservesALook(event: ResultEvent | StabilityEvent): boolean {
  return event.type === 'result' && remarksOf(event).length > 0
}

function remarks(event: ResultEvent | StabilityEvent, screen: Screen): string {
  if (event.type === 'stability') return ''
  const color = paint(screen.color)
  return remarksOf(event)
    .map((text) => `    ${color.yellow('⚠')} ${preview(text, 500)}\n`)
    .join('')
}

function remarksOf(result: ResultEvent): string[] {
  const { flaky, attempts = 1, reruns = [], warnings = [], leaked = [] } = result
  return [
    ...(flaky === true ? [`flaky: passed at attempt ${attempts}`] : attempts > 1 ? [`tried ${attempts} times`] : []),
    ...reruns.map(({ reason }) => `run again alone: ${reason}`),
    ...warnings,
    ...(leaked.length > 0 ? [`left processes behind: ${leaked.join(', ')}`] : []),
  ]
}

function errorText({ where, message }: ErrorEvent, screen: Screen): string {
  const [first = '', ...more] = message.split('\n')
  const frames = more.slice(0, 20).map((line) => `    ${noCommand(preview(line.trim(), 500))}\n`)
  return `${paint(screen.color).red('✗')} ${preview(where, 200)}: ${preview(first, 2000)}\n${frames.join('')}`
}

function logText({ where, lines, lines_dropped: dropped }: LogEvent): string {
  const shown = lines.flatMap((line) => indented(line, '  │ '))
  if (dropped !== undefined) shown.push(`  │ … and ${dropped} more lines`)
  return `${preview(where, 200)} printed:\n${shown.join('\n')}\n\n`
}

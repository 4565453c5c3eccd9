// The console of the documents: plain blocks, in the order cases finish.
import { caseTitle } from '../../../../model/run-key.js'
import type {
  ErrorEvent,
  LogEvent,
  ResultEvent,
  RunEvent,
  StabilityEvent,
  StartEvent,
} from '../../../../model/event.js'
import { formatDuration } from '../../../../base/duration.js'
import { plural } from '../../../../base/format.js'
import { preview } from '../../../../base/text.js'
import { isNotShown } from '../../../../model/status.js'
import type { Screen } from '../../recording.js'
import { indented, noCommand } from '../assertion-lines.js'
import type { ConsoleText } from '../console-text.js'
import { caseBlock } from './case-block.js'
import { headerBlock } from './header.js'
import { paint } from '../paint.js'
import { Recap } from './recap.js'
import { scriptTitle } from '../../cases.js'
import { scriptBlock } from './script-block.js'
import { stabilityBlock } from './stability-block.js'
import { summaryBlock } from './summary-block.js'
import { VariantLines } from '../variant-lines.js'

// Beyond this many cases a passing one gets a single line.
const BLOCKS_UP_TO = 10

export function createClassicText(screen: Screen): ConsoleText {
  const texts = createTexts(screen)
  /** The last output was a single line: longer blocks are set apart from it. */
  let afterLine = false
  return {
    ...texts,
    textOf: (event) => {
      const text = texts.textOf(event)
      if (text === undefined || text === '') return text
      const isLine = event.type === 'result' && !text.endsWith('\n\n')
      const apart = afterLine && !isLine && !text.startsWith('\n') ? '\n' : ''
      afterLine = isLine
      return `${apart}${text}`
    },
  }
}

function createTexts(screen: Screen): ConsoleText {
  let start: StartEvent | undefined
  let variants: VariantLines | undefined
  let recap: Recap | undefined
  const recall = (event: RunEvent): void => {
    if (start && isNotGreen(event, start)) recap?.add(event)
    if (event.type === 'stability' || (event.type === 'result' && start?.runs_per_case === 1)) variants?.add(event)
  }
  const textOf = (event: RunEvent): string | undefined => {
    if (start && isNotGreen(event, start)) recap?.add(event)
    switch (event.type) {
      case 'start':
        start = event
        recap = new Recap(event, screen)
        if (event.variants) variants = new VariantLines(event, screen)
        return screen.noHeader === true ? undefined : headerBlock(event, screen)
      case 'case_start':
        return undefined
      case 'result':
        // The runs of a case are shown together at its end, unless `--fail-fast` ends them here.
        if (start && start.runs_per_case !== 1 && !screen.verbose && !isLast(event, start)) return undefined
        if (variants && start?.runs_per_case === 1)
          return `${isShown(event, screen) ? resultText(event, start, screen) : ''}${variants.add(event)}`
        return resultText(event, start, screen)
      case 'stability':
        return variants
          ? `${event.status === 'passed' ? '' : stabilityBlock(event, screen)}${variants.add(event)}`
          : stabilityBlock(event, screen)
      case 'error':
        return errorText(event, screen)
      case 'log':
        return screen.verbose ? logText(event) : undefined
      case 'summary':
        // The blocks of single cases end with an empty line; the lines of repeated ones do not.
        return start
          ? `${variants?.rest() ?? ''}${start.runs_per_case === 1 && !variants ? '' : '\n'}${summaryBlock(event, start, screen)}${recap?.text() ?? ''}`
          : undefined
    }
  }
  return { textOf, recall }
}

/** With repetitions a case has failed when its runs together have. */
function isNotGreen(event: RunEvent, { runs_per_case: runs }: StartEvent): event is ResultEvent | StabilityEvent {
  if (event.type === 'result') return runs === 1 && (event.status === 'failed' || isNotShown(event))
  if (event.type !== 'stability') return false
  return event.status === 'failed' || event.status === 'undetermined' || isNotShown(event)
}

/** Beside the line with the marks: why it failed. */
function isShown(event: ResultEvent, { verbose }: Screen): boolean {
  return verbose || event.status === 'failed' || isNotShown(event)
}

function isLast(event: ResultEvent, { options }: StartEvent): boolean {
  return (event.status === 'failed' || isNotShown(event)) && options['fail_fast'] === true
}

function resultText(result: ResultEvent, start: StartEvent | undefined, screen: Screen): string {
  const short = (screen.brief === true || (start?.total_cases ?? Infinity) > BLOCKS_UP_TO) && !screen.verbose
  const isScript = start?.mode === 'script_test'
  const title = isScript ? scriptTitle(result, start) : caseTitle(result)
  if (short && result.status !== 'failed' && !deservesALook(result)) return shortLine(result, title, screen)
  return isScript ? scriptBlock({ ...result, name: title }, screen) : caseBlock(result, screen)
}

/** It passed with a remark; or it was skipped along the way, and says how to avoid that. */
function deservesALook({ status, skip, turns, attempts = 1, reruns, warnings, leaked }: ResultEvent): boolean {
  if (status === 'skipped') return !skip && turns !== undefined
  return attempts > 1 || isAny(reruns) || isAny(warnings) || isAny(leaked)
}

function isAny(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0
}

function errorText({ where, message }: ErrorEvent, screen: Screen): string {
  const [first = '', ...more] = message.split('\n')
  const frames = more.slice(0, screen.verbose ? 20 : 3).map((line) => `    ${noCommand(preview(line.trim(), 500))}\n`)
  return `${paint(screen.color).red('✗')} ${preview(where, 200)}: ${preview(first, 2000)}\n${frames.join('')}\n`
}

function logText({ where, lines, lines_dropped: dropped }: LogEvent): string {
  const shown = lines.flatMap((line) => indented(line, '  │ '))
  if (dropped !== undefined) shown.push(`  │ … and ${dropped} more lines`)
  return `${preview(where, 200)} printed:\n${shown.join('\n')}\n\n`
}

function shortLine(result: ResultEvent, title: string, screen: Screen): string {
  const color = paint(screen.color)
  const name = result.name === undefined || title.endsWith(result.name) ? '' : ` ${preview(result.name, 100)}`
  const run = result.run > 1 ? ` run ${result.run}` : ''
  const label = `[${preview(title, 100)}]${name}${run}`
  if (result.status === 'skipped') {
    const reason = result.skip_reason === undefined ? '' : `: ${preview(result.skip_reason)}`
    return `${color.yellow('○')} ${label} skipped${reason}\n`
  }
  const turns = result.turns === undefined ? '' : `${plural(result.turns.length, 'turn')}, `
  return `${color.green('✓')} ${label} (${turns}${formatDuration(result.duration_ms)})\n`
}

// The console as a sink of events: plain blocks, in the order cases finish.
import { caseTitle } from '../../../model/run-key.js'
import type { ErrorEvent, LogEvent, ResultEvent, RunEvent, StartEvent } from '../../../model/event.js'
import { formatDuration } from '../../../base/duration.js'
import { preview } from '../../../base/text.js'
import type { Screen } from '../recording.js'
import { indented, noCommand } from './assertion-lines.js'
import { caseBlock } from './case-block.js'
import { headerBlock } from './header.js'
import { paint } from './paint.js'
import { scriptTitle } from '../cases.js'
import { scriptBlock } from './script-block.js'
import { stabilityBlock } from './stability-block.js'
import { summaryBlock } from './summary-block.js'
import { VariantLines } from './variant-lines.js'

// Beyond this many cases a passing one gets a single line: nobody reads ten thousand blocks.
const BLOCKS_UP_TO = 50

/** Event → text for people; `undefined` where there is nothing to say. */
export function createConsoleText(screen: Screen): (event: RunEvent) => string | undefined {
  let start: StartEvent | undefined
  let variants: VariantLines | undefined
  return (event) => {
    switch (event.type) {
      case 'start':
        start = event
        if (event.variants) variants = new VariantLines(event, screen)
        return headerBlock(event)
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
          ? `${variants?.rest() ?? ''}${start.runs_per_case === 1 && !variants ? '' : '\n'}${summaryBlock(event, start, screen)}`
          : undefined
    }
  }
}

/** Beside the line with the marks: why it failed. */
function isShown({ status }: ResultEvent, { verbose }: Screen): boolean {
  return verbose || status === 'failed'
}

function isLast({ status }: ResultEvent, { options }: StartEvent): boolean {
  return status === 'failed' && options['fail_fast'] === true
}

function resultText(result: ResultEvent, start: StartEvent | undefined, screen: Screen): string {
  const many = (start?.total_cases ?? Infinity) > BLOCKS_UP_TO
  if (start?.mode === 'script_test') {
    const title = scriptTitle(result, start)
    if (many && result.status === 'passed' && !screen.verbose) return passedLine({ ...result, id: title }, screen)
    return scriptBlock({ ...result, name: title }, screen)
  }
  if (many && result.status === 'passed' && !screen.verbose) return passedLine(result, screen)
  return caseBlock(result, screen)
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

function passedLine(result: ResultEvent, screen: Screen): string {
  const name = result.name === undefined || result.id.endsWith(result.name) ? '' : ` ${preview(result.name, 100)}`
  return `${paint(screen.color).green('✓')} [${preview(caseTitle(result), 100)}]${name} (${formatDuration(result.duration_ms)})\n`
}

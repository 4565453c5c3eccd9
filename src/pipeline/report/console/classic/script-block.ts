// One script test on the console, as in seed 000's sample.
import type { ResultEvent } from '../../../../model/event.js'
import { formatDuration } from '../../../../base/duration.js'
import { asText, preview } from '../../../../base/text.js'
import { plural } from '../../../../base/format.js'
import { noCommand } from '../assertion-lines.js'
import { paint, type Paint } from '../paint.js'
import type { Screen } from '../../recording.js'

export function scriptBlock(result: ResultEvent, screen: Screen): string {
  const color = paint(screen.color)
  const lines = [
    `► [${preview(result.name ?? result.id, 200)}] ...`,
    `  ${verdict(result, color)} (${formatDuration(result.duration_ms)})`,
  ]
  if (result.status === 'failed') lines.push(...failure(result, screen))
  if (result.status === 'skipped' && result.skip_reason !== undefined)
    lines.push(`    └─ ${preview(result.skip_reason, 500)}`)
  for (const warning of result.warnings ?? []) lines.push(`    ${color.yellow('⚠')} ${preview(warning, 500)}`)
  if (screen.verbose) for (const log of result.logs ?? []) lines.push(`    │ ${preview(log, 500)}`)
  return `${lines.join('\n')}\n\n`
}

function verdict(result: ResultEvent, color: Paint): string {
  if (result.status === 'passed') return color.green('✓ PASSED')
  if (result.status === 'skipped') return color.yellow('○ SKIPPED')
  return color.red('✗ FAILED')
}

function failure(result: ResultEvent, screen: Screen): string[] {
  const [first = '', ...more] = (result.error ?? 'failed').split('\n')
  const lines = [
    `    └─ ${preview(first, 1000)}`,
    ...more.slice(0, 20).map((line) => `       ${noCommand(preview(line, 1000))}`),
  ]
  if (result.assertion && ('expected' in result.assertion || 'actual' in result.assertion)) {
    lines.push(
      `       expected: ${shown(result.assertion.expected)}`,
      `       actual: ${shown(result.assertion.actual)}`,
    )
  }
  const others = (result.assertions ?? []).filter((item) => !item.passed).length - 1
  if (others > 0) lines.push(`       and ${plural(others, 'more failed assertion')}`)
  if (result.stack !== undefined && (screen.verbose || !isTold(result))) {
    const frames = result.stack.split('\n').filter((line) => /^\s+at /.test(line))
    for (const frame of frames.slice(0, screen.verbose ? 20 : 5)) lines.push(`       ${preview(frame.trim(), 500)}`)
  }
  return lines
}

/** An assertion with a message says where it is; one without can only be identified by its line. */
function isTold({ error_kind, assertion }: ResultEvent): boolean {
  return error_kind === 'assertion' && assertion !== undefined && !OWN_WORDS.test(assertion.message ?? 'got')
}

const OWN_WORDS = /\b(?:expected|got|needs|cannot compare|invalid pattern|invalid path)\b/

function shown(value: unknown): string {
  return value === undefined
    ? 'undefined'
    : preview(typeof value === 'string' ? JSON.stringify(value) : asText(value), 500)
}

// The live display on a terminal: finished cases scroll up, running ones and the progress stay at the bottom.
import type { RunEvent } from '../model/event.js'
import { formatDuration } from '../util/duration.js'
import { displayWidth, preview } from '../util/text.js'
import { paint } from '../pipeline/report/console/paint.js'
import { createConsoleText } from '../pipeline/report/console/console.js'
import { wrapLines } from '../pipeline/report/console/wrap-lines.js'
import type { EventSink } from '../pipeline/record/event-log.js'
import type { Screen } from '../pipeline/report/recording.js'

const FRAME_MS = 80
const RUNNING_SHOWN = 5
const BAR_WIDTH = 24

interface Out {
  write(text: string): unknown
  columns?: number
}

export interface LiveConsole extends EventSink {
  /** Clears the bottom block while a person is asked something. */
  pause(): void
  resume(): void
}

export function createLiveConsole(out: Out, screen: Screen): LiveConsole {
  const textOf = createConsoleText(screen)
  const color = paint(screen.color)
  const running = new Map<string, number>()
  let scrolled = ''
  let drawn = 0
  let done = 0
  let failed = 0
  let total: number | undefined
  let paused = false
  const started = performance.now()

  const columns = (): number => out.columns ?? screen.columns
  const erase = (): string => (drawn > 0 ? `\u001b[${drawn}A\u001b[0J` : '')

  const draw = (): void => {
    if (paused) return
    const block = running.size > 0 || done > 0 ? bottom() : []
    const frame = `${erase()}${scrolled}${block.join('\n')}${block.length > 0 ? '\n' : ''}`
    scrolled = ''
    drawn = block.length
    out.write(`\u001b[?2026h${frame}\u001b[?2026l`)
  }

  const bottom = (): string[] => {
    const now = performance.now()
    const lines = [...running]
      .slice(0, RUNNING_SHOWN)
      .map(([id, since]) => fit(`  ▸ ${preview(id, 60)} ${color.dim(formatDuration(now - since))}`, columns()))
    if (running.size > RUNNING_SHOWN) lines.push(color.dim(`  … and ${running.size - RUNNING_SHOWN} more running`))
    return ['', ...lines, fit(progress(now), columns())]
  }

  const progress = (now: number): string => {
    const seconds = (now - started) / 1000
    const rate = done / Math.max(seconds, 0.001)
    const counts = `${color.green(`${done - failed} passed`)}${failed > 0 ? `, ${color.red(`${failed} failed`)}` : ''}`
    if (total === undefined) return `  ${counts} · ${rate.toFixed(1)}/s`
    const filled = Math.round((done / Math.max(1, total)) * BAR_WIDTH)
    const left = done === 0 ? '' : ` · ${formatDuration(((total - done) / rate) * 1000)} left`
    return `  ${'█'.repeat(filled)}${color.dim('░'.repeat(BAR_WIDTH - filled))} ${done}/${total} · ${counts} · ${rate.toFixed(1)}/s${left}`
  }

  const timer = setInterval(draw, FRAME_MS)
  timer.unref()

  const follow = (event: RunEvent): void => {
    if (event.type === 'start' && event.total_cases !== undefined && event.runs_per_case !== 'auto')
      total = event.total_cases * event.runs_per_case
    if (event.type === 'case_start') running.set(keyOf(event.id, event.run), performance.now())
    if (event.type !== 'result') return
    running.delete(keyOf(event.id, event.run))
    done += 1
    if (event.status === 'failed') failed += 1
  }

  return {
    name: 'console',
    write: (event) => {
      follow(event)
      scrolled += wrapLines(textOf(event) ?? '', columns())
      if (event.type === 'summary') {
        clearInterval(timer)
        out.write(`${erase()}${scrolled}`)
        scrolled = ''
        drawn = 0
        paused = true
      }
    },
    pause: () => {
      draw()
      out.write(erase())
      drawn = 0
      paused = true
    },
    resume: () => {
      paused = false
    },
    close: () => {
      clearInterval(timer)
      if (!paused) out.write(`${erase()}${scrolled}`)
    },
  }
}

function keyOf(id: string, run: number): string {
  return run === 1 ? id : `${id} #${run}`
}

function fit(line: string, columns: number): string {
  return displayWidth(line) <= columns
    ? line
    : `${preview(line.replaceAll(/\u001b\[[0-9;]*m/g, ''), Math.max(10, columns - 2))}`
}

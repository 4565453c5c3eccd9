// The live display on a terminal: finished cases scroll up, running ones and the progress stay at the bottom.
import type { RunEvent } from '../model/event.js'
import { caseTitle, runKey, type RunName } from '../model/run-key.js'
import { createConsoleText } from '../pipeline/report/console/console.js'
import { visibleInColor } from '../base/hidden.js'
import { wrapLines } from '../base/wrap-lines.js'
import type { EventSink } from '../pipeline/record/event-log.js'
import type { Screen } from '../pipeline/report/recording.js'
import { liveBlock, type LiveState } from './live-block.js'
import { monotonicNow } from '../time/clock.js'

const FRAME_MS = 80

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
  const { textOf, recall } = createConsoleText(screen)
  const state: LiveState = { running: new Map(), done: 0, failed: 0, skipped: 0, started: monotonicNow() }
  let scrolled = ''
  /** The last output that scrolled up ends with a blank line. */
  let afterBlank = false
  let drawn = 0
  let paused = false

  const columns = (): number => out.columns ?? screen.columns
  const erase = (): string => (drawn > 0 ? `\u001b[${drawn}A\u001b[0J` : '')

  const draw = (): void => {
    if (paused) return
    const block = state.running.size > 0 || state.done > 0 ? bottom() : []
    const frame = `${erase()}${scrolled}${block.join('\n')}${block.length > 0 ? '\n' : ''}`
    scrolled = ''
    drawn = block.length
    out.write(`\u001b[?2026h${frame}\u001b[?2026l`)
  }

  const bottom = (): string[] => {
    const lines = liveBlock(state, { columns: columns(), color: screen.color, now: monotonicNow() })
    return afterBlank ? lines : ['', ...lines]
  }

  const timer = setInterval(draw, FRAME_MS)
  timer.unref()

  const follow = (event: RunEvent): void => {
    if (event.type === 'start' && event.total_cases !== undefined && event.runs_per_case !== 'auto')
      state.total = event.total_cases * event.runs_per_case * (event.variants?.length ?? 1)
    if (event.type === 'case_start') state.running.set(runKey(event), { title: titleOf(event), since: monotonicNow() })
    if (event.type !== 'result') return
    state.running.delete(runKey(event))
    state.done += 1
    if (event.status === 'failed') state.failed += 1
    if (event.status === 'skipped') state.skipped += 1
  }

  return {
    name: 'console',
    write: (event) => {
      follow(event)
      const text = wrapLines(visibleInColor(textOf(event) ?? ''), columns())
      scrolled += text
      if (text !== '') afterBlank = text.endsWith('\n\n')
      if (event.type === 'summary') {
        clearInterval(timer)
        out.write(`${erase()}${scrolled}`)
        scrolled = ''
        drawn = 0
        paused = true
      }
    },
    recall,
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

function titleOf(name: RunName): string {
  return name.run === 1 ? caseTitle(name) : `${caseTitle(name)} #${name.run}`
}

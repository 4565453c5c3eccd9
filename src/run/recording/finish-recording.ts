// The end of a recording: written before the summary, which reports what became of it.
import { messageOf } from '../../base/message-of.js'
import type { SummaryEvent } from '../../model/event.js'
import { isFiltering } from '../../pipeline/plan/filter.js'
import type { Prepared } from '../prepare.js'

/** The cases have their verdicts: a file that cannot be written is an error of the run (`errors`), not of a case. */
export function finishRecording(
  { recordings, work, selection, options, interrupted, io }: Prepared,
  isStopped: boolean,
  errors: string[],
): SummaryEvent['recording'] {
  if (!recordings) return undefined
  const mayEndEarly = options.fail_fast || options.stop_after !== undefined
  const whole = !isStopped && !isFiltering(selection) && !mayEndEarly && interrupted === undefined
  const agent = work.mode === 'agent' ? work.agent.id : work.label
  errors.push(...(recordings.unsettled?.() ?? []))
  try {
    io.onUnused?.(recordings.unused?.(whole) ?? [])
    return recordings.finish({ agent, recorded: io.now().toISOString(), whole })
  } catch (error) {
    errors.push(messageOf(error))
    return undefined
  }
}

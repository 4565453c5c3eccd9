// The event stream of a run: into the log and through the tracker, so that what follows from an event is written after it.
import type { UserError } from '../errors.js'
import type { RunEvent, SummaryEvent } from '../model/event.js'
import type { GoOn } from '../model/plan.js'
import { openEventLog, type EventLog } from '../pipeline/record/event-log.js'
import { PromptKeeper } from '../pipeline/record/prompt-keeper.js'
import { showLost, type Outputs } from './outputs/outputs.js'
import type { Prepared } from './prepare.js'
import { readAgain } from './read-again.js'
import type { Interrupted } from './resume.js'
import { strayError } from './stray-error.js'
import type { Tracker } from './tracker.js'
import { messageOf } from '../base/message-of.js'

export interface Stream {
  log: EventLog
  emit(event: RunEvent): void
  /** All cases have had that many runs. Ends what is open if that was enough. */
  goOn: GoOn
  /** The summary is the last event of a run: anything later is only displayed. */
  end(summary: SummaryEvent): void
  /** The process is about to end: the summary of what is known, unless there is one. */
  cutShort(summaryOf: () => SummaryEvent): void
  /** What an earlier part of the run had written counts as if it had happened now. */
  replay(interrupted: Interrupted): Promise<void>
  /** Waits for slow sinks. */
  settle(): Promise<void>
  /** Sinks that failed along the way. */
  errors: string[]
  /** Why nothing can be written any more. */
  broken(): UserError | undefined
  close(): Promise<void>
}

export interface StreamInit {
  prepared: Prepared
  outputs: Outputs
  tracker: Tracker
  stop(reason: string): void
}

export function openStream({ prepared, outputs, tracker, stop }: StreamInit): Stream {
  const { io } = prepared
  const errors: string[] = []
  let broken: UserError | undefined
  const sinks = [...io.sinks, ...prepared.interceptors.sinks]
  const log = openEventLog({
    ...(outputs.events && { file: outputs.events }),
    redactor: prepared.redactor,
    sinks,
    onBroken: (error, lost) => {
      broken = error
      stop('cannot write')
      showLost(lost, prepared.warn)
    },
    onSinkError: (name, error) => errors.push(`${name}: ${messageOf(error)}`),
  })
  const prompts = new PromptKeeper((text) => prepared.redactor.text(text))
  const emit = (event: RunEvent): void => {
    for (const each of prompts.withPrompts(event)) log.append(each)
    const stability = tracker.add(event)
    if (stability) log.append(stability)
    // The first line of the file is the start.
    if (event.type === 'start') prepared.strayOutput.open(emit)
  }
  let ended = false
  const where = prepared.work.mode === 'agent' ? prepared.work.agent.id : prepared.work.label
  io.onStray?.((error) => {
    const event = strayError(error, where)
    if (event && ended) prepared.warn(`after the last case: ${event.message}`)
    else if (event) emit(event)
    return event !== undefined
  })
  return {
    log,
    emit,
    goOn: (runs) => {
      if (tracker.needsMore(runs)) return true
      for (const stability of tracker.settle()) log.append(stability)
      return false
    },
    end: (summary) => {
      prepared.strayOutput.end((event) => {
        if (event.type === 'error') prepared.warn(`after the last case: ${event.message}`)
      })
      ended = true
      log.append(summary)
      log.flush()
    },
    cutShort: (summaryOf) => {
      if (ended) return
      ended = true
      log.flush()
      log.append(summaryOf())
      log.flush()
    },
    replay: async (interrupted) => {
      for (const sink of sinks) sink.write(interrupted.start)
      const recording = log.recording()
      if (recording) for (const event of await readAgain(recording, tracker, sinks)) log.append(event)
      tracker.brake.goOn()
      prepared.strayOutput.open(emit)
    },
    settle: async () => {
      log.flush()
      for (const sink of sinks)
        await sink.settle?.().catch((error: unknown) => errors.push(`${sink.name}: ${messageOf(error)}`))
    },
    errors,
    broken: () => broken,
    close: async () => {
      io.onStray?.(undefined)
      await log.close()
    },
  }
}

// One turn of a conversation: who spoke, how it ended, and its steps.
import type { ComponentChildren } from 'preact'
import type { ResultEvent, TurnResult } from '../../../../model/event.js'
import type { StepOf } from '../../../../pipeline/report/case-steps.js'
import { awaitingSentence, endingSentence, speakerOf } from '../../../../pipeline/report/step-words.js'
import { formatDuration } from '../../../../base/duration.js'
import { StatusPill } from '../icons.js'
import { LongText, Text } from '../text.js'

interface TurnProps {
  step: StepOf<'turn'>
  event: ResultEvent
  children: ComponentChildren
}

export function Turn({ step: { turn, n }, event, children }: TurnProps) {
  const speaker = speakerOf(turn.input_source)
  const ending = endingSentence(turn.finish_reason)
  return (
    <section class={`turn status-${turn.status}`} aria-label={`Turn ${turn.turn}`} data-step={n} tabIndex={-1}>
      <h4 class="turn-head">
        <span>Turn {turn.turn}</span>
        {speaker && <span class="chip">{speaker}</span>}
        {turn.status !== 'passed' && <StatusPill mark={turn.status} />}
        {turn.status !== 'not_run' && <span class="muted">{formatDuration(turn.duration_ms)}</span>}
        {ending && <span class="muted">{ending}</span>}
      </h4>
      {turn.reasoning && <Note label={`Why the ${speaker?.toLowerCase() ?? 'user'} says this`} text={turn.reasoning} />}
      {children}
      <Ending turn={turn} event={event} />
    </section>
  )
}

function Ending({ turn, event }: { turn: TurnResult; event: ResultEvent }) {
  return (
    <>
      {turn.awaiting_input && (
        <p class="note muted">
          {awaitingSentence(turn.awaiting_reason)} {turn.input_hint && <Text value={turn.input_hint} />}
        </p>
      )}
      {turn.error && !event.error?.includes(turn.error) && (
        <div class="failure">
          <LongText value={turn.error} mono />
        </div>
      )}
      {turn.skip_reason && <Note label="Skipped" text={turn.skip_reason} />}
      {turn.question && <Note label="The agent asked" text={turn.question} />}
      {turn.hint && <Note label="What helps" text={turn.hint} />}
      {turn.goal_achieved && (
        <Note
          label="The simulated user"
          text={`reached the goal${turn.goal_reasoning ? `: ${turn.goal_reasoning}` : ''}`}
        />
      )}
    </>
  )
}

function Note({ label, text }: { label: string; text: string }) {
  return (
    <p class="note" dir="auto">
      <span class="muted">{label}:</span> <Text value={text} />
    </p>
  )
}

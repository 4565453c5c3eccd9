// What was said and done, in order: turns, messages, tool calls, and what was checked after each turn.
import type { ResultEvent, TurnResult } from '../../../../model/event.js'
import { formatDuration } from '../../../../base/duration.js'
import { plural } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { Glyph, StatusPill } from '../icons.js'
import { LongText, Text } from '../text.js'
import { firstFailure } from '../../text/failure.js'
import { Assertions } from './assertions.js'
import { Message, messagesOf } from './message.js'
import { Section } from './section.js'
import { ToolCalls } from './tool-calls.js'

export function Conversation({ event }: { event: ResultEvent }) {
  if (event.turns && event.turns.length > 0) {
    return (
      <Section title="Conversation" note={plural(event.turns.length, 'turn')}>
        {event.turns.map((turn) => (
          <Turn key={turn.turn} turn={turn} event={event} />
        ))}
      </Section>
    )
  }
  if (event.input === undefined && event.output === undefined) return null
  return (
    <Section title="Conversation">
      {messagesOf(event.input).map((message, index) => (
        <Message key={index} message={message} />
      ))}
      <ToolCalls calls={event.tool_calls} />
      <Answer
        output={event.output ?? event.response}
        error={event.status === 'failed' ? event.error_kind : undefined}
      />
      {event.awaiting_input && <Awaiting reason={event.awaiting_reason} />}
      {event.expected !== undefined && event.status !== 'failed' && (
        <div class="expected-answer">
          <h4>Expected</h4>
          <Message message={{ role: 'expected', content: event.expected }} />
        </div>
      )}
    </Section>
  )
}

function Turn({ turn, event }: { turn: TurnResult; event: ResultEvent }) {
  const reached = (event.checkpoints ?? []).filter((item) => item.reached_at_turn === turn.turn)
  return (
    <section class={`turn status-${turn.status}`} aria-label={`Turn ${turn.turn}`}>
      <h4 class="turn-head">
        <span>Turn {turn.turn}</span>
        {turn.input_source !== 'static' && <span class="chip">{turn.input_source}</span>}
        {turn.status !== 'passed' && <StatusPill mark={turn.status} />}
        {turn.status !== 'not_run' && <span class="muted">{formatDuration(turn.duration_ms)}</span>}
      </h4>
      {messagesOf(turn.input).map((message, index) => (
        <Message key={index} message={message} />
      ))}
      <ToolCalls calls={turn.tool_calls} />
      <Answer output={turn.output} />
      {turn.awaiting_input && <Awaiting reason={turn.awaiting_reason} hint={turn.input_hint} />}
      {turn.error && !event.error?.includes(turn.error) && (
        <div class="failure">
          <LongText value={turn.error} mono />
        </div>
      )}
      {turn.skip_reason && <Note label="Skipped" text={turn.skip_reason} />}
      {turn.question && <Note label="The agent asked" text={turn.question} />}
      {turn.hint && <Note label="What helps" text={turn.hint} />}
      {turn.reasoning && <Note label="The simulator's reasoning" text={turn.reasoning} />}
      {turn.goal_achieved && <Note label="Simulator" text="goal achieved" />}
      {turn.assertions && turn.assertions.length > 0 && (
        <Assertions items={turn.assertions} told={firstFailure(event)?.item} evidence={turn} />
      )}
      {reached.map((item) => (
        <p class="reached" key={item.id}>
          <Glyph name="flag" /> Checkpoint <bdi class="strong">{visible(item.id)}</bdi>{' '}
          {item.passed ? 'reached' : 'failed'}
        </p>
      ))}
    </section>
  )
}

function Answer({ output, error }: { output: unknown; error?: string | undefined }) {
  if (output === undefined || output === null) {
    return error === undefined ? null : <p class="muted no-answer">No answer.</p>
  }
  return <Message message={{ role: 'assistant', content: output }} />
}

function Awaiting({ reason, hint }: { reason?: string | undefined; hint?: string | undefined }) {
  return (
    <p class="note">
      <span class="chip">awaits input</span> {reason && <Text value={reason} />} {hint && <Text value={hint} />}
    </p>
  )
}

function Note({ label, text }: { label: string; text: string }) {
  return (
    <p class="note" dir="auto">
      <span class="muted">{label}:</span> <Text value={text} />
    </p>
  )
}

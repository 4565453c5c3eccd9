// What an orchestrator did: who played when, the events between iterations, and how it ended.
import type { ResultEvent } from '../../../../model/event.js'
import { receiversOf, timelineOf, type TimelineEvent, type TimelineStep } from '../../../../model/session-timeline.js'
import { formatDuration } from '../../../../base/duration.js'
import { formatCount, plural } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { terminationSentence } from '../../../../pipeline/report/step-words.js'
import { Glyph } from '../icons.js'
import { LongText, Text } from '../text.js'
import { Lanes } from './lanes.js'
import { Section } from './section.js'

type Session = NonNullable<ResultEvent['session']>

export function Timeline({ session, turns }: { session: Session; turns: number }) {
  const { iterations, iterations_left_out = 0, events_left_out = 0, duration_ms } = session
  const longest = Math.max(1, ...iterations.map((iteration) => iteration.duration_ms ?? 0))
  const note = [
    plural(iterations.length + iterations_left_out, 'iteration'),
    duration_ms === undefined ? '' : formatDuration(duration_ms),
    turns > 1 ? 'of the last turn' : '',
  ].filter(Boolean)
  return (
    <Section title="Timeline" note={note.join(' · ')}>
      <Lanes iterations={iterations} />
      <ol class="timeline">
        {timelineOf(session).map((step, index) => (
          <Step key={index} step={step} longest={longest} />
        ))}
        <Ending session={session} />
      </ol>
      {events_left_out > 0 && <p class="muted">{plural(events_left_out, 'event')} left out.</p>}
    </Section>
  )
}

function Step({ step: { iteration, left_out, events }, longest }: { step: TimelineStep; longest: number }) {
  return (
    <>
      {left_out > 0 && <li class="timeline-gap muted">{plural(left_out, 'iteration')} left out</li>}
      <li class="timeline-step">
        <span class="timeline-mark" aria-hidden="true">
          {iteration ? formatCount(iteration.n) : <Glyph name="play" />}
        </span>
        <div class="timeline-body">
          {iteration ? (
            <div class="timeline-head">
              <span class="sr-only">Iteration {formatCount(iteration.n)}:</span>
              <bdi class="strong timeline-hat">{visible(iteration.hat)}</bdi>
              {iteration.malformed ? <span class="chip">{plural(iteration.malformed, 'malformed event')}</span> : null}
              {iteration.duration_ms !== undefined && <Took ms={iteration.duration_ms} longest={longest} />}
            </div>
          ) : (
            <div class="timeline-head muted">Start</div>
          )}
          {iteration?.error && (
            <p class="wrong">
              <Text value={iteration.error} />
            </p>
          )}
          {events.length > 0 && (
            <ul class="timeline-events">
              {events.map((event, index) => (
                <Published key={index} event={event} />
              ))}
            </ul>
          )}
        </div>
      </li>
    </>
  )
}

function Took({ ms, longest }: { ms: number; longest: number }) {
  return (
    <span class="timeline-time">
      <span class="step-bar" aria-hidden="true">
        <span style={{ width: `${(ms / longest) * 100}%` }} />
      </span>
      <span class="muted step-time">{formatDuration(ms)}</span>
    </span>
  )
}

const SHORT = 90

function Published({ event }: { event: TimelineEvent }) {
  const { topic, payload } = event
  const receivers = receiversOf(event)
  const head = (
    <>
      <bdi class="event-topic">{visible(topic)}</bdi>
      {receivers.length > 0 && (
        <span class="event-to">
          <span aria-hidden="true">→</span>
          <span class="sr-only">to</span> <bdi>{visible(receivers.join(', '))}</bdi>
        </span>
      )}
    </>
  )
  const isShort = payload.length <= SHORT && !payload.includes('\n')
  if (isShort)
    return (
      <li class="event">
        <div class="event-head">
          {head}
          {payload !== '' && (
            <span class="event-payload" dir="auto">
              <Text value={payload} />
            </span>
          )}
        </div>
      </li>
    )
  return (
    <li class="event">
      <details>
        <summary class="event-head">
          {head}
          <span class="event-payload cut" dir="auto">
            <Text value={payload.split('\n').find((line) => line.trim() !== '') ?? ''} />
          </span>
        </summary>
        <LongText value={payload} mono />
      </details>
    </li>
  )
}

function Ending({ session: { termination_reason, exit_code, message } }: { session: Session }) {
  return (
    <li class={`timeline-step timeline-end status-${exit_code === 0 ? 'passed' : 'flaky'}`}>
      <span class="timeline-mark" aria-hidden="true">
        <Glyph name="flag" />
      </span>
      <div class="timeline-body">
        <div class="timeline-head">
          <span class="strong">
            <Text value={terminationSentence(termination_reason)} />
          </span>
          {termination_reason && (
            <span class="muted">
              <Text value={termination_reason} />
            </span>
          )}
          {exit_code !== undefined && <span class="muted">exit code {exit_code}</span>}
        </div>
        {message && (
          <p class="muted">
            <Text value={message} />
          </p>
        )}
      </div>
    </li>
  )
}

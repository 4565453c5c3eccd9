// What happened inside the agent, step by step, with how long each took.
import type { TraceStep } from '../../../../model/agent.js'
import { formatDuration } from '../../../../base/duration.js'
import { plural } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { Text } from '../text.js'
import { Value } from '../value.js'
import { Section } from './section.js'

export function Trace({ steps }: { steps: TraceStep[] }) {
  const longest = Math.max(1, ...steps.map((step) => step.duration_ms ?? 0))
  return (
    <Section title="Trace" note={plural(steps.length, 'step')} closed={steps.every((step) => !step.error)}>
      <ul class="trace">
        {steps.map((step, index) => (
          <li key={index}>
            <Step step={step} share={(step.duration_ms ?? 0) / longest} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Step({ step, share }: { step: TraceStep; share: number }) {
  const head = (
    <>
      <span class="chip">{step.kind}</span>
      <span class="step-name">{visible(step.name)}</span>
      <span class="step-bar" aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
      <span class="muted step-time">{step.duration_ms === undefined ? '' : formatDuration(step.duration_ms)}</span>
    </>
  )
  const error = step.error && (
    <p class="wrong">
      <Text value={step.error} />
    </p>
  )
  if (step.detail === undefined) {
    return (
      <div class="step">
        <div class="step-head">{head}</div>
        {error}
      </div>
    )
  }
  return (
    <details class="step">
      <summary class="step-head">{head}</summary>
      {error}
      <Value value={step.detail} mono />
    </details>
  )
}

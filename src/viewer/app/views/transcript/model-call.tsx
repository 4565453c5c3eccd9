// A call of a model: what it was sent and what came back.
import type { TraceStep } from '../../../../model/agent.js'
import type { StepOf } from '../../../../pipeline/report/case-steps.js'
import { endingSentence } from '../../../../pipeline/report/step-words.js'
import { formatDuration } from '../../../../base/duration.js'
import { formatCount, plural } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { asText, oneLine } from '../../../../base/text.js'
import { Message } from '../detail/message.js'
import { Glyph, StatusPill } from '../icons.js'
import { LongText } from '../text.js'
import { Value } from '../value.js'

export function ModelCall({ step: { step, n } }: { step: StepOf<'model'> }) {
  const { received, usage, error, detail } = step
  const ending = endingSentence(received?.finish_reason === 'tool_calls' ? undefined : received?.finish_reason)
  return (
    <details class="model-call fold" open={error !== undefined} data-step={n} tabIndex={-1}>
      <summary>
        <Glyph name="model" />
        <span class="fold-kind">Model</span>
        <span class="tool-name">{visible(step.name)}</span>
        <span class="tool-args">
          <bdi>{visible(brief(step))}</bdi>
        </span>
        {error && <StatusPill mark="failed" text="error" />}
        {usage && <span class="fold-fact">{formatCount(usage.total_tokens)} tokens</span>}
        {step.duration_ms !== undefined && <span class="fold-fact">{formatDuration(step.duration_ms)}</span>}
      </summary>
      <div class="fold-body">
        {error && <LongText value={error} mono />}
        <Sent step={step} />
        {received && (
          <>
            <h5>Received{ending && <span class="muted"> · {ending}</span>}</h5>
            <Message message={{ role: 'assistant', content: received.content }} />
            {received.calls && (
              <p class="note">
                Calls <Names names={received.calls} />
              </p>
            )}
          </>
        )}
        {detail !== undefined && <Value value={detail} mono />}
        {step.cut && <p class="muted">Texts were shortened to fit into the events.</p>}
      </div>
    </details>
  )
}

function Sent({ step: { sent = [], sent_before = 0, tools } }: { step: TraceStep }) {
  if (sent.length + sent_before === 0) return null
  const prompts = sent.filter(isPrompt).length
  return (
    <>
      <h5>
        Sent <span class="muted">{plural(sent.length + sent_before, 'message')}</span>
      </h5>
      {sent_before > 0 && <p class="note muted">{plural(sent_before, 'message')} as in the steps before.</p>}
      {prompts > 0 && (
        <p class="note muted">{prompts === 1 ? 'The system prompt' : `The ${prompts} system prompts`} above.</p>
      )}
      {sent
        .filter((message) => !isPrompt(message))
        .map((message, index) => (
          <Message key={index} message={{ ...message, content: message.content ?? null }} />
        ))}
      {tools && (
        <p class="note">
          <span class="muted">Tools it may call:</span> <Names names={tools} />
        </p>
      )}
    </>
  )
}

function Names({ names }: { names: string[] }) {
  return (
    <>
      {names.map((name, index) => (
        <code key={index} class="name">
          {visible(name)}
        </code>
      ))}
    </>
  )
}

/** These have steps of their own. */
function isPrompt({ role }: { role: string }): boolean {
  return role === 'system' || role === 'developer'
}

function brief({ received }: TraceStep): string {
  if (!received) return ''
  const text = oneLine(asText(received.content), 120)
  const calls = received.calls ? `calls ${received.calls.join(', ')}` : ''
  return [text, calls].filter(Boolean).join(' · ')
}

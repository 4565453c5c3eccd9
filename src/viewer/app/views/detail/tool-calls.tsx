// What the agent did: each tool with its arguments and its result.
import { formatDuration } from '../../../../base/duration.js'
import { isRecord } from '../../../../base/record.js'
import { cellText } from '../../../../model/result-row.js'
import { visible } from '../../../../base/hidden.js'
import { Glyph, StatusPill } from '../icons.js'
import { LongText } from '../text.js'
import { Value } from '../value.js'

/** Takes both our own form and a provider's `{function: {name, arguments}}`, which histories in case files may have. */
export function ToolCalls({ calls }: { calls: unknown }) {
  if (!Array.isArray(calls) || calls.length === 0) return null
  return (
    <ul class="tool-calls">
      {calls.map((call, index) => (
        <li key={index}>
          <ToolCallView call={call} />
        </li>
      ))}
    </ul>
  )
}

interface Call {
  name: string
  server: string
  args: unknown
  result: unknown
  error: string
}

interface ViewProps {
  call: unknown
  /** Its number in a transcript. */
  n?: number
  duration?: number | undefined
}

export function ToolCallView({ call: given, n, duration }: ViewProps) {
  const call = readCall(given)
  return (
    <details class="tool-call" open={call.error !== ''} data-step={n} tabIndex={n === undefined ? undefined : -1}>
      <summary>
        <Glyph name="tool" />
        <span class="fold-kind">Tool</span>
        <span class="tool-name">{visible(call.name)}</span>
        {call.server && <span class="fold-fact">{visible(call.server)}</span>}
        <span class="tool-args">
          <bdi>{visible(cellText(call.args, 90))}</bdi>
        </span>
        {call.error && <StatusPill mark="failed" text="error" />}
        {duration !== undefined && <span class="fold-fact">{formatDuration(duration)}</span>}
      </summary>
      <dl class="pairs">
        <div>
          <dt>Arguments</dt>
          <dd>
            <Value value={call.args ?? {}} mono />
          </dd>
        </div>
        {call.result !== undefined && (
          <div>
            <dt>Result</dt>
            <dd>
              <Value value={call.result} mono />
            </dd>
          </div>
        )}
        {call.error && (
          <div>
            <dt>Error</dt>
            <dd class="wrong">
              <LongText value={call.error} mono />
            </dd>
          </div>
        )}
      </dl>
    </details>
  )
}

function readCall(value: unknown): Call {
  const call = isRecord(value) ? value : {}
  const inner = isRecord(call['function']) ? call['function'] : {}
  return {
    name: text(call['name'] ?? inner['name']) || 'unnamed tool',
    server: text(call['server']),
    args: call['args'] ?? call['arguments'] ?? inner['arguments'],
    result: call['result'],
    error: text(call['error'] ?? call['args_error']),
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

// What is to be said after the last step: calls that may be missing, that nothing came, that the agent waits, what was expected.
import type { ResultEvent } from '../../../../model/event.js'
import { awaitingSentence } from '../../../../pipeline/report/step-words.js'
import { Message } from '../detail/message.js'

export function After({ event }: { event: ResultEvent }) {
  const unseen = event.tool_evidence === undefined ? undefined : UNSEEN[event.tool_evidence]
  const missing = unseen && <p class="note muted">{unseen}</p>
  if (event.turns && event.turns.length > 0) return <>{missing}</>
  const isSilent = event.output === undefined || event.output === null
  return (
    <>
      {isSilent && event.response === undefined && event.status === 'failed' && (
        <p class="muted no-answer">No answer.</p>
      )}
      {event.refusal && <p class="note">The agent refused.</p>}
      {event.awaiting_input && <p class="note muted">{awaitingSentence(event.awaiting_reason)}</p>}
      {missing}
      {event.expected !== undefined && event.status !== 'failed' && (
        <div class="expected-answer">
          <h4>Expected</h4>
          <Message message={{ role: 'expected', content: event.expected }} />
        </div>
      )}
    </>
  )
}

const UNSEEN = {
  unknown: 'This agent does not report its tool calls: there may have been some.',
  partial: 'Only some tool calls were seen: there may have been more.',
}

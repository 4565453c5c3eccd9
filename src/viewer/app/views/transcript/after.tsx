// What is to be said after the last step of a case without turns: that nothing came, that the agent waits, what was expected.
import type { ResultEvent } from '../../../../model/event.js'
import { awaitingSentence } from '../../../../pipeline/report/step-words.js'
import { Message } from '../detail/message.js'

export function After({ event }: { event: ResultEvent }) {
  if (event.turns && event.turns.length > 0) return null
  const isSilent = event.output === undefined || event.output === null
  return (
    <>
      {isSilent && event.response === undefined && event.status === 'failed' && (
        <p class="muted no-answer">No answer.</p>
      )}
      {event.awaiting_input && <p class="note">{awaitingSentence(event.awaiting_reason)}</p>}
      {event.expected !== undefined && event.status !== 'failed' && (
        <div class="expected-answer">
          <h4>Expected</h4>
          <Message message={{ role: 'expected', content: event.expected }} />
        </div>
      )}
    </>
  )
}

// A failed script test: the assertion, both sides, and the stack with the tester's own lines in front.
import type { ResultEvent } from '../../../../model/event.js'
import { LongText } from '../text.js'
import { Sides } from './sides.js'
import { Stack } from './stack.js'

export function ScriptFailure({ event }: { event: ResultEvent }) {
  if (event.status !== 'failed') return null
  const { assertion, error, stack } = event
  const hasSides = assertion && ('expected' in assertion || 'actual' in assertion)
  // A stack begins with the message.
  const isInStack = error !== undefined && stack?.includes(error)
  return (
    <section class="failure" aria-label="Why it failed">
      <h3>
        {assertion ? `assert.${assertion.type}` : 'The test failed'}
        {event.error_kind && <span class="kind">{event.error_kind}</span>}
      </h3>
      {error && !isInStack && <LongText value={error} mono />}
      {assertion?.message && !error?.includes(assertion.message) && <LongText value={assertion.message} />}
      {hasSides && <Sides expected={assertion.expected} actual={assertion.actual} />}
      {stack && <Stack text={stack} />}
    </section>
  )
}

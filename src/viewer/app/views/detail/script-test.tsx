// A failed script test: the assertion, both sides, and the stack with the tester's own lines in front.
import type { ResultEvent } from '../../../../model/event.js'
import { LongText } from '../text.js'
import { Sides } from './sides.js'
import { Stack } from './stack.js'

export function ScriptFailure({ event }: { event: ResultEvent }) {
  if (event.status !== 'failed') return null
  const assertion = event.assertion
  const hasSides = assertion && ('expected' in assertion || 'actual' in assertion)
  return (
    <section class="failure" aria-label="Why it failed">
      <h3>
        {assertion ? `assert.${assertion.type}` : 'The test failed'}
        {event.error_kind && <span class="kind">{event.error_kind}</span>}
      </h3>
      {event.error && <LongText value={event.error} mono />}
      {assertion?.message && !event.error?.includes(assertion.message) && <LongText value={assertion.message} />}
      {hasSides && <Sides expected={assertion.expected} actual={assertion.actual} />}
      {event.stack && <Stack text={event.stack} />}
    </section>
  )
}

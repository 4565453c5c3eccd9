// A failed script test: the assertion, both sides, and the stack with the tester's own lines in front.
import type { ResultEvent } from '../../../../model/event.js'
import { visible } from '../../text/visible.js'
import { LongText } from '../text.js'
import { Sides } from './sides.js'

export function ScriptFailure({ event }: { event: ResultEvent }) {
  if (event.status !== 'failed') return <ScriptPlace event={event} />
  const assertion = event.assertion
  const hasSides = assertion && ('expected' in assertion || 'actual' in assertion)
  return (
    <>
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
      <ScriptPlace event={event} />
    </>
  )
}

function ScriptPlace({ event }: { event: ResultEvent }) {
  const place = event.script_path ?? event.script
  if (!place) return null
  return (
    <p class="script-place">
      <code>{visible(`${place}${event.line ? `:${event.line}` : ''}`)}</code>
    </p>
  )
}

function Stack({ text }: { text: string }) {
  return (
    <div class="block mono stack" dir="ltr" role="group" aria-label="Stack">
      {text
        .split('\n')
        .slice(0, 60)
        .map((line, index) => (
          <div key={index} class={/node:|node_modules|<anonymous>/.test(line) ? 'muted' : undefined}>
            {visible(line)}
          </div>
        ))}
    </div>
  )
}

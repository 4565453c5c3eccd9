// Why it failed, in a box that cannot be overlooked.
import type { ResultEvent } from '../../../../model/event.js'
import { LongText, Text } from '../text.js'
import { Stack } from './stack.js'

const WHOSE: Record<string, string> = {
  assertion: 'The answer was not what the case expects',
  timeout: 'The time was up',
  agent: 'The agent failed',
  script: 'A script failed',
  hook: 'A hook failed',
  simulator: 'The simulated user failed, not the agent',
  validator: 'A check could not be carried out',
  input: 'The case itself is at fault',
  crashed: 'The process died',
}

export function CaseFailure({ event }: { event: ResultEvent }) {
  if (event.status !== 'failed') return null
  const kind = event.error_kind
  return (
    <section class="failure" aria-label="Why it failed">
      <h3>
        {(kind && WHOSE[kind]) || 'Failed'}
        {kind && <span class="kind">{kind}</span>}
      </h3>
      {event.error && <LongText value={event.error} mono />}
      {event.stack && <Stack text={event.stack} />}
      {extra(event).map((text) => (
        <p key={text}>
          <Text value={text} />
        </p>
      ))}
    </section>
  )
}

/** What `error` does not already say. */
function extra(event: ResultEvent): string[] {
  return (event.assertion_errors ?? []).filter((text) => !event.error?.includes(text.replace(/^turn \d+: /, '')))
}

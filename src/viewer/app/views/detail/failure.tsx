// Why it failed, in a box that cannot be overlooked: what was expected and what came instead, before anything else.
import type { AssertionResult } from '../../../../model/assertion.js'
import type { ResultEvent } from '../../../../model/event.js'
import { plural } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { firstFailure, headline, sidesOf, unsaid, type AnswerSeen, type FirstFailure } from '../../text/failure.js'
import { LongText, Text } from '../text.js'
import { Comparison } from './comparison.js'
import { Stack } from './stack.js'

const WHOSE: Record<string, string> = {
  assertion: 'The answer was not what the case expects',
  timeout: 'The case timed out',
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
  const first = firstFailure(event)
  return (
    <section class="failure" aria-label="Why it failed">
      <h3>
        {title(event, first)}
        {first && <Where first={first} />}
        {kind && <span class="kind">{kind}</span>}
      </h3>
      {first?.item.error && <LongText value={first.item.error} mono />}
      {first && <Comparison item={first.item} evidence={evidenceOf(event, first)} />}
      {unsaid(event).map((text) => (
        <LongText key={text} value={text} mono />
      ))}
      {event.stack && <Stack text={event.stack} />}
      <More event={event} />
    </section>
  )
}

function title(event: ResultEvent, first: FirstFailure | undefined): string {
  const sentence = first && !first.item.error && headline(first.item, sidesOf(first.item, evidenceOf(event, first)))
  return visible(sentence || WHOSE[event.error_kind ?? ''] || 'Failed')
}

/** The turn has an answer and calls of its own. */
function evidenceOf(event: ResultEvent, { turn }: FirstFailure): AnswerSeen {
  return (turn === undefined ? event : event.turns?.find((other) => other.turn === turn)) ?? {}
}

function Where({ first: { item, turn } }: { first: FirstFailure }) {
  return (
    <>
      <span class="chip">{visible(item.label ?? item.type)}</span>
      {turn !== undefined && <span class="chip">turn {turn}</span>}
    </>
  )
}

function More({ event }: { event: ResultEvent }) {
  const all = [event.assertions, event.final_assertions, ...(event.turns ?? []).map((turn) => turn.assertions)]
  const others = all
    .flatMap((items: AssertionResult[] | undefined) => items ?? [])
    .filter((item) => !item.passed && !item.not_evaluated)
  if (others.length < 2) return null
  return (
    <p class="more">
      <Text value={`${plural(others.length - 1, 'more check')} failed, shown below.`} />
    </p>
  )
}

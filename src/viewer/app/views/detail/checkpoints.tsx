// Checkpoints on a timeline of turns: where each was reached, and which never were.
import type { CheckpointResult, ResultEvent } from '../../../../model/event.js'
import { visible } from '../../../../base/hidden.js'
import { StatusIcon, type Mark } from '../icons.js'
import { Text } from '../text.js'
import { Section } from './section.js'

export function Checkpoints({ event }: { event: ResultEvent }) {
  const items = event.checkpoints ?? []
  const turns = Math.max(
    1,
    event.total_turns ?? event.turns?.length ?? 0,
    ...items.map((item) => item.reached_at_turn ?? 0),
  )
  const reached = items.filter((item) => item.reached).length
  return (
    <Section title="Checkpoints" note={`${reached} of ${items.length} reached`}>
      <Track items={items} turns={turns} />
      <ol class="checkpoints">
        {items.toSorted(byTurn).map((item) => (
          <li key={item.id} class={`checkpoint status-${markOf(item)}`}>
            <StatusIcon mark={markOf(item)} label={wordsOf(item)} />
            <span class="checkpoint-text">
              <bdi class="strong">{visible(item.id)}</bdi>
              {item.description && (
                <span>
                  {' '}
                  <Text value={item.description} />
                </span>
              )}
              {item.message && (
                <span class={item.passed ? 'muted' : 'wrong'}>
                  {' '}
                  <Text value={item.message} />
                </span>
              )}
              {item.out_of_order && <span class="chip">out of order</span>}
              {!item.required && <span class="chip">optional</span>}
            </span>
            <span class="muted checkpoint-turn">
              {item.reached_at_turn ? `turn ${item.reached_at_turn}` : 'not reached'}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function Track({ items, turns }: { items: CheckpointResult[]; turns: number }) {
  const step = Math.ceil(turns / 12)
  const ticks = Array.from({ length: turns }, (_item, index) => index + 1)
  const place = (turn: number) => `${turns === 1 ? 50 : ((turn - 1) / (turns - 1)) * 100}%`
  const label = items
    .map((item) => `${item.id} ${item.reached_at_turn ? `at turn ${item.reached_at_turn}` : 'not reached'}`)
    .join(', ')
  return (
    <div class="track" role="img" aria-label={visible(label)}>
      <div class="track-line">
        {ticks.map((turn) => (
          <span key={turn} class="tick" style={{ left: place(turn) }}>
            {(turn - 1) % step === 0 || turn === turns ? turn : ''}
          </span>
        ))}
        {items.map((item) =>
          item.reached_at_turn ? (
            <span key={item.id} class={`stop status-${markOf(item)}`} style={{ left: place(item.reached_at_turn) }} />
          ) : null,
        )}
      </div>
    </div>
  )
}

function markOf(item: CheckpointResult): Mark {
  if (item.passed) return 'passed'
  if (item.reached) return 'failed'
  return item.required ? 'failed' : 'skipped'
}

function wordsOf(item: CheckpointResult): string {
  if (!item.reached) return 'Not reached'
  return item.passed ? 'Reached' : 'Reached, failed'
}

function byTurn(a: CheckpointResult, b: CheckpointResult): number {
  return (a.reached_at_turn ?? Infinity) - (b.reached_at_turn ?? Infinity) || 0
}

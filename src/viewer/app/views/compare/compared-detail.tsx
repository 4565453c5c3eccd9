// One case of two runs: the answers with the words that differ, then everything about each, side by side.
import { useState } from 'preact/hooks'
import { answersOf } from '../../../../model/answers.js'
import type { ResultEvent } from '../../../../model/event.js'
import { isEqual } from '../../../../base/equal.js'
import { visible } from '../../../../base/hidden.js'
import type { Case } from '../../data/cases.js'
import { beforeSource } from '../../data/comparison.js'
import type { Source } from '../../data/source.js'
import { source } from '../../data/store.js'
import { CaseDetail } from '../detail/case-detail.js'
import { RunTabs } from '../detail/run-tabs.js'
import { Sides } from '../detail/sides.js'
import { pickRun, useDetail } from '../detail/use-detail.js'
import { StatusPill } from '../icons.js'
import { Text } from '../text.js'
import { BeforeAfter, ChangeChip } from './change.js'

export function ComparedDetail({ item }: { item: Case }) {
  const { compared } = item
  const before = useSide(compared?.before && item.before, beforeSource.value)
  const after = useSide(compared?.after && item, source.value)
  if (!compared) return null
  return (
    <article class="compared-detail">
      <header class="case-title">
        <div class="case-title-top">
          <span class="case-id">
            <bdi>{visible(item.title)}</bdi>
          </span>
          <BeforeAfter {...compared} />
          <ChangeChip change={compared.change} />
        </div>
        {item.name && (
          <h2>
            <Text value={item.name} />
          </h2>
        )}
        {compared.was !== undefined && (
          <p class="case-facts">
            <span>was {visible(compared.was)}</span>
          </p>
        )}
      </header>
      {before.event && after.event && <Answers before={before.event} after={after.event} />}
      <div class="two-runs">
        <Column title="Before" side={before} />
        <Column title="After" side={after} />
      </div>
    </article>
  )
}

interface Side {
  item: Case | undefined
  run: number
  event: ResultEvent | undefined
  pick: (run: number) => void
}

function useSide(item: Case | '' | undefined, from: Source | undefined): Side {
  const [run, pick] = useState<number>()
  const result = item ? pickRun(item, run) : undefined
  return { item: item || undefined, run: result?.run ?? 1, event: useDetail(from, result), pick }
}

function Answers({ before, after }: { before: ResultEvent; after: ResultEvent }) {
  const [old, fresh] = [answersOf(before), answersOf(after)]
  const count = Math.max(old.length, fresh.length)
  const differing = Array.from({ length: count }, (_answer, index) => index).filter(
    (index) => !isEqual(old[index], fresh[index]),
  )
  if (differing.length === 0) return count === 0 ? null : <p class="suggestion">The answers are the same.</p>
  return (
    <section class="answers" aria-label="Answers">
      {differing.map((index) => (
        <Sides
          key={index}
          expected={old[index]}
          actual={fresh[index]}
          labels={count === 1 ? ['Before', 'After'] : [`Before, turn ${index + 1}`, `After, turn ${index + 1}`]}
        />
      ))}
    </section>
  )
}

function Column({ title, side: { item, run, event, pick } }: { title: string; side: Side }) {
  return (
    <section aria-label={title}>
      <h3 class="column-title">
        {title} {event && <StatusPill mark={event.status} />}
      </h3>
      {item && item.results.length > 1 && <RunTabs item={item} run={run} onPick={pick} />}
      {item && event ? (
        <CaseDetail item={item} event={event} bare />
      ) : (
        <p class="muted">{item ? 'Loading…' : 'The run does not have this case.'}</p>
      )}
    </section>
  )
}

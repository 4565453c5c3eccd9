// What every variant answered to one case, side by side, with the words that differ from the baseline's. Picking a column
// shows everything about that variant below.
import { useMemo } from 'preact/hooks'
import { formatDuration } from '../../../../base/duration.js'
import { formatSpent, formatCount } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { answersOf } from '../../../../model/answers.js'
import type { ResultEvent } from '../../../../model/event.js'
import type { Case, Result } from '../../data/cases.js'
import { openResult } from '../../data/navigate.js'
import { source, variantNames } from '../../data/store.js'
import { readableText } from '../../text/readable.js'
import { wordDiff, type Piece } from '../../text/word-diff.js'
import { pickRun, useDetails } from '../detail/use-detail.js'
import { PieceList } from '../detail/sides.js'
import { StatusIcon, words } from '../icons.js'
import { LongText, Text } from '../text.js'
import { Value } from '../value.js'
import { markOf } from './variant-mark.js'

interface Props {
  row: Case
  picked: Case
  run: number | undefined
}

export function VariantAnswers({ row, picked, run }: Props) {
  const members = row.members ?? []
  const results = members.map((member) => member && pickRun(member, run))
  const events = useDetails(source.value, results)
  const at = members.indexOf(picked)
  return (
    <section class="variant-answers" aria-label="Answers of the variants">
      <header class="case-title">
        <div class="case-title-top">
          <span class="case-id">
            <bdi>{visible(row.id)}</bdi>
          </span>
        </div>
        {row.name && (
          <h2>
            <Text value={row.name} />
          </h2>
        )}
      </header>
      <div class="answer-columns">
        {members.map((member, index) => (
          <Column
            key={index}
            name={variantNames.value[index] ?? ''}
            isBaseline={index === 0}
            isPicked={index === at}
            member={member}
            result={results[index]}
            event={events[index]}
            // The baseline is marked against the selected one.
            other={index === 0 ? events[at === 0 ? -1 : at] : events[0]}
            onPick={member && (() => openResult(member, run))}
          />
        ))}
      </div>
    </section>
  )
}

interface ColumnProps {
  name: string
  isBaseline: boolean
  isPicked: boolean
  member: Case | undefined
  result: Result | undefined
  event: ResultEvent | undefined
  other: ResultEvent | undefined
  onPick: (() => void) | undefined
}

function Column({ name, isBaseline, isPicked, member, result, event, other, onPick }: ColumnProps) {
  const mark = markOf(member)
  const answers = event ? answersOf(event) : []
  const others = other ? answersOf(other) : []
  const facts = event && result ? factsOf(member, result, event) : ''
  return (
    <section class={`answer-column status-${mark}${isPicked ? ' picked' : ''}`} aria-label={visible(name)}>
      <button type="button" class="answer-head" aria-pressed={isPicked} onClick={onPick} disabled={!onPick}>
        <StatusIcon mark={mark} label={words(mark)} />
        <span class="answer-name">
          <bdi>{visible(name)}</bdi>
        </span>
        {isBaseline && <span class="baseline-chip">baseline</span>}
        <span class="answer-facts">{facts}</span>
      </button>
      {!member && <p class="muted">This variant did not run the case.</p>}
      {member && !event && <p class="muted">Loading…</p>}
      {event?.error && (
        <div class="answer-error">
          <LongText value={event.error} />
        </div>
      )}
      {event && answers.length === 0 && <p class="muted">No answer.</p>}
      {answers.map((answer, index) => (
        <Answer
          key={index}
          title={answers.length > 1 ? `Turn ${index + 1}` : undefined}
          side={isBaseline ? 'before' : 'after'}
          answer={answer}
          other={others[index]}
          isCompared={other !== undefined}
        />
      ))}
    </section>
  )
}

interface AnswerProps {
  title: string | undefined
  side: 'before' | 'after'
  answer: unknown
  other: unknown
  isCompared: boolean
}

function Answer({ title, side, answer, other, isCompared }: AnswerProps) {
  const pieces = useMemo(
    () => (isCompared ? piecesOf(answer, other, side) : undefined),
    [answer, other, side, isCompared],
  )
  return (
    <div class={`answer side-${side}`}>
      {title && <h4>{title}</h4>}
      {pieces === 'same' && <p class="same-answer">as the baseline</p>}
      {Array.isArray(pieces) ? (
        <PieceList pieces={pieces} mono={typeof answer === 'object'} />
      ) : (
        <Value value={answer} />
      )}
    </div>
  )
}

function piecesOf(answer: unknown, other: unknown, side: 'before' | 'after'): Piece[] | 'same' | undefined {
  if (answer === undefined || answer === null || other === undefined || other === null) return undefined
  const [own, compared] = [readableText(answer, true), readableText(other, true)]
  if (own === compared) return side === 'after' ? 'same' : undefined
  return side === 'before' ? wordDiff(own, compared)?.before : wordDiff(compared, own)?.after
}

function factsOf(member: Case | undefined, result: Result, event: ResultEvent): string {
  return [
    (member?.results.length ?? 0) > 1 ? `run ${result.run}` : '',
    event.status === 'skipped' ? '' : formatDuration(event.duration_ms),
    event.usage ? `${formatCount(event.usage.total_tokens)} tokens` : '',
    event.cost_dollars === undefined ? '' : formatSpent(event.cost_dollars, event.cost_estimated),
  ]
    .filter(Boolean)
    .join(' · ')
}

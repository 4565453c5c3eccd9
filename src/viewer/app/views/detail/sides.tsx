// Expected and actual: as a diff where both are text of some length, else one beside the other.
import { diffLines, diffWordsWithSpace, type Change } from 'diff'
import { Text } from '../text.js'
import { Value } from '../value.js'
import { UnifiedDiff } from './unified-diff.js'

const DIFF_LIMIT = 20_000

export function Sides({ expected, actual }: { expected: unknown; actual: unknown }) {
  if (typeof expected === 'string' && typeof actual === 'string') {
    const changes = wordDiff(expected, actual)
    if (changes) return <WordDiff changes={changes} />
  }
  const lines = lineDiff(expected, actual)
  if (lines) return <UnifiedDiff text={lines} legend />
  return (
    <div class="sides">
      <Side label="Expected" value={expected} kind="expected" />
      <Side label="Actual" value={actual} kind="actual" />
    </div>
  )
}

function Side({ label, value, kind }: { label: string; value: unknown; kind: string }) {
  return (
    <div class={`side ${kind}`}>
      <h4>{label}</h4>
      {value === undefined ? <p class="muted">nothing</p> : <Value value={value} mono />}
    </div>
  )
}

function WordDiff({ changes }: { changes: Change[] }) {
  return (
    <div class="side">
      <h4>
        <del>Expected</del> <ins>Actual</ins>
      </h4>
      <div class="block mono diff" dir="auto">
        {changes.map((change, index) =>
          change.added ? (
            <ins key={index}>
              <Text value={change.value} />
            </ins>
          ) : change.removed ? (
            <del key={index}>
              <Text value={change.value} />
            </del>
          ) : (
            <span key={index}>
              <Text value={change.value} />
            </span>
          ),
        )}
      </div>
    </div>
  )
}

/** Undefined where a diff would say less than the two values: short texts, or nothing in common. */
function wordDiff(before: string, after: string): Change[] | undefined {
  // Bounded: a viewer must never hang on two unlike texts.
  const changes = fits(before, after) ? diffWordsWithSpace(before, after, { maxEditLength: 400 }) : undefined
  return changes && hasShared(changes, before, after) ? changes : undefined
}

/** Two structures, line by line, as `+` and `-` lines. */
function lineDiff(expected: unknown, actual: unknown): string | undefined {
  if (typeof expected !== 'object' || typeof actual !== 'object' || !expected || !actual) return undefined
  const before = JSON.stringify(expected, null, 2)
  const after = JSON.stringify(actual, null, 2)
  const changes = fits(before, after) ? diffLines(`${before}\n`, `${after}\n`, { maxEditLength: 400 }) : undefined
  if (!changes || !hasShared(changes, before, after)) return undefined
  return changes.map((change) => mark(change.value, change.added ? '+' : change.removed ? '-' : ' ')).join('\n')
}

function mark(lines: string, sign: string): string {
  return lines
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${sign} ${line}`)
    .join('\n')
}

function fits(before: string, after: string): boolean {
  return Math.max(before.length, after.length) <= DIFF_LIMIT && Math.min(before.length, after.length) >= 12
}

function hasShared(changes: Change[], before: string, after: string): boolean {
  const shared = changes.reduce((sum, change) => (change.added || change.removed ? sum : sum + change.value.length), 0)
  return shared * 3 > Math.min(before.length, after.length)
}

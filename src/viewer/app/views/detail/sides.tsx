// Expected and actual: as a diff where both are text of some length, else one beside the other.
import { diffLines, diffWordsWithSpace, type Change } from 'diff'
import { Text } from '../text.js'
import { Value } from '../value.js'

const DIFF_LIMIT = 20_000

export function Sides({ expected, actual }: { expected: unknown; actual: unknown }) {
  const changes = diffOf(expected, actual)
  if (changes) return <DiffView changes={changes} />
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

function DiffView({ changes }: { changes: Change[] }) {
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
function diffOf(expected: unknown, actual: unknown): Change[] | undefined {
  const both = typeof expected === 'string' && typeof actual === 'string'
  const before = both ? expected : structured(expected)
  const after = both ? actual : structured(actual)
  if (before === undefined || after === undefined) return undefined
  if (before.length > DIFF_LIMIT || after.length > DIFF_LIMIT || Math.min(before.length, after.length) < 12) return undefined
  // Bounded: a viewer must never hang on two unlike texts.
  const changes = both
    ? diffWordsWithSpace(before, after, { maxEditLength: 400 })
    : diffLines(before, after, { maxEditLength: 400 })
  if (!changes) return undefined
  const shared = changes.reduce((sum, change) => (change.added || change.removed ? sum : sum + change.value.length), 0)
  return shared * 3 > Math.min(before.length, after.length) ? changes : undefined
}

function structured(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : undefined
}

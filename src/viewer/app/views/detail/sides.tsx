// Two values side by side, expected and actual or before and after, with the words that differ marked in each.
import { formatCount } from '../../../../base/format.js'
import { isStrings } from '../../../../base/record.js'
import { jsonIn, readableText } from '../../text/readable.js'
import { shortened, wordDiff, type Columns, type Piece } from '../../text/word-diff.js'
import { Text } from '../text.js'
import { Data, Value } from '../value.js'

interface SidesProps {
  expected: unknown
  actual: unknown
  labels?: [expected: string, actual: string] | undefined
  /** The first is searched for in the second, not compared with it; this part is nearest. */
  within?: { nearest: string | undefined } | undefined
}

export function Sides({ expected, actual, labels = ['Expected', 'Actual'], within }: SidesProps) {
  const [left, right] = [dataIn(expected), dataIn(actual)]
  const columns = within ? lookedFor(left, right, within.nearest) : compared(left, right)
  // 5 and "5" must not look alike.
  const exact = !within && typeof left !== typeof right && !isStrings(right)
  const mono = typeof left === 'object'
  return (
    <div class="sides">
      <Side label={labels[0]} value={left} pieces={columns?.before} kind="expected" exact={exact} mono={mono} />
      <Side label={labels[1]} value={right} pieces={columns?.after} kind="actual" exact={exact} mono={mono} />
    </div>
  )
}

interface SideProps {
  label: string
  value: unknown
  pieces: Piece[] | undefined
  kind: 'expected' | 'actual'
  exact: boolean
  mono: boolean
}

function Side({ label, value, pieces, kind, exact, mono }: SideProps) {
  return (
    <div class={`side ${kind}`}>
      <h4>{label}</h4>
      <div class="side-body" tabIndex={0} role="region" aria-label={label}>
        {pieces ? (
          <PieceList pieces={pieces} mono={mono} />
        ) : value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? (
          <p class="muted">{value === '' ? 'empty text' : 'nothing'}</p>
        ) : exact ? (
          <Data value={value} />
        ) : (
          <Value value={isStrings(value) ? value.join('\n') : value} />
        )}
      </div>
    </div>
  )
}

export function PieceList({ pieces, mono }: { pieces: Piece[]; mono: boolean }) {
  return (
    <div class={mono ? 'block mono' : 'block'} dir="auto">
      {shortened(pieces).map((piece, index) => (
        <PieceView key={index} piece={piece} />
      ))}
    </div>
  )
}

function PieceView({ piece: { text, changed, skipped } }: { piece: Piece }) {
  if (skipped) return <span class="skipped-stretch"> … {formatCount(skipped)} characters the same … </span>
  if (!changed) return <Text value={text} />
  return (
    <mark>
      <Text value={text.trim() === '' ? text.replaceAll(' ', '·').replaceAll('\n', '⏎\n') : text} />
    </mark>
  )
}

/** What a text is the JSON of, else the value itself. */
function dataIn(value: unknown): unknown {
  return typeof value === 'string' ? (jsonIn(value) ?? value) : value
}

function compared(expected: unknown, actual: unknown): Columns | undefined {
  if (typeof expected !== typeof actual || !expected || !actual) return undefined
  if (typeof expected !== 'string' && typeof expected !== 'object') return undefined
  return wordDiff(readableText(expected, true), readableText(actual, true))
}

function lookedFor(wanted: unknown, answer: unknown, nearest: string | undefined): Columns | undefined {
  if (typeof wanted !== 'string' || typeof answer !== 'string' || !nearest) return undefined
  const at = answer.indexOf(nearest)
  if (at < 0) return undefined
  // The match may end within a word, or with an extra full stop.
  const rest = answer.slice(at + nearest.length)
  const word = nearest + (/^\w*/.exec(rest)?.[0] ?? '')
  const found = /[\p{L}\p{N}]$/u.test(wanted) ? word.replace(/[^\p{L}\p{N}]+$/u, '') : word
  const near = wordDiff(wanted, found)
  if (!near) return undefined
  const after = [{ text: answer.slice(0, at) }, ...near.after, { text: answer.slice(at + found.length) }]
  return { before: near.before, after: after.filter((piece) => piece.text !== '') }
}

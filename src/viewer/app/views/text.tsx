// Text from outside, inert: always a text node, hidden characters spelled out, long texts folded.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { formatCount } from '../../../base/format.js'
import { hasHidden, segments } from '../../../base/hidden.js'

export function Text({ value }: { value: string }) {
  if (!hasHidden(value)) return <>{value}</>
  return (
    <>
      {segments(value).map((part, index) =>
        part.hidden ? (
          <span key={index} class="hidden-character" title="A character that is otherwise invisible">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </>
  )
}

const FOLD_CHARACTERS = 1200
const FOLD_LINES = 24

interface LongTextProps {
  value: string
  mono?: boolean
  /** Instead of the text as it is. */
  show?: (text: string) => ComponentChildren
}

export function LongText({ value, mono = false, show }: LongTextProps) {
  const [whole, setWhole] = useState(false)
  const short = fold(value)
  const folded = short.length < value.length && !whole
  const text = folded ? short : value
  return (
    <div class="long-text">
      {show ? (
        show(text)
      ) : (
        <div class={mono ? 'block mono' : 'block'} dir="auto">
          <Text value={text} />
          {folded && <span class="muted">…</span>}
        </div>
      )}
      {short.length < value.length && (
        <button type="button" class="link no-print" onClick={() => setWhole(!whole)}>
          {whole ? 'Show less' : `Show all ${formatCount(value.length)} characters`}
        </button>
      )}
    </div>
  )
}

function fold(value: string): string {
  let end = Math.min(value.length, FOLD_CHARACTERS)
  let line = -1
  for (let count = 0; count < FOLD_LINES; count += 1) {
    line = value.indexOf('\n', line + 1)
    if (line < 0) break
  }
  if (line >= 0) end = Math.min(end, line)
  // Folding away a few characters is not worth a click.
  return value.length - end < 80 ? value : value.slice(0, end)
}

// Any value: text as text, data indented with a little colour.
import { useState } from 'preact/hooks'
import { hasMarkdown } from '../text/markdown.js'
import { jsonIn, readable, type Token } from '../text/readable.js'
import { Markdown } from './markdown.js'
import { LongText, Text } from './text.js'

export function Value({ value, mono = false }: { value: unknown; mono?: boolean }) {
  if (typeof value === 'string') return <LongText value={value} mono={mono} />
  return <Data value={value} />
}

/** What was said: Markdown formatted, JSON indented, with the raw text one press away. */
export function Prose({ value }: { value: unknown }) {
  const [raw, setRaw] = useState(false)
  const data = typeof value === 'string' ? jsonIn(value) : isData(value) ? value : undefined
  const isText = typeof value === 'string'
  if (data === undefined && !(isText && hasMarkdown(value))) return <Value value={value} />
  return (
    <>
      {raw ? (
        <LongText value={isText ? value : JSON.stringify(value, null, 2)} mono />
      ) : data === undefined ? (
        <LongText value={String(value)} show={formatted} />
      ) : (
        <Data value={data} />
      )}
      <button type="button" class="raw-toggle no-print" aria-pressed={raw} onClick={() => setRaw(!raw)}>
        Raw
      </button>
    </>
  )
}

const COLOUR_LIMIT = 8000

export function Data({ value }: { value: unknown }) {
  const tokens = readable(value)
  const length = tokens.reduce((sum, token) => sum + token.text.length, 0)
  if (length > COLOUR_LIMIT) return <LongText value={tokens.map((token) => token.text).join('')} mono />
  return (
    <div class="block mono" dir="ltr">
      {tokens.map(coloured)}
    </div>
  )
}

function formatted(text: string) {
  return <Markdown value={text} />
}

function coloured({ text, kind }: Token, index: number) {
  if (!kind) return text
  return (
    <span key={index} class={`json-${kind}`}>
      <Text value={text} />
    </span>
  )
}

function isData(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

// Any value: text as text, data as indented JSON with a little colour.
import type { ComponentChildren } from 'preact'
import { LongText, Text } from './text.js'

export function Value({ value, mono = false }: { value: unknown; mono?: boolean }) {
  if (typeof value === 'string') return <LongText value={value} mono={mono} />
  return <Json value={value} />
}

const COLOUR_LIMIT = 8000

export function Json({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2) ?? 'undefined'
  if (text.length > COLOUR_LIMIT) return <LongText value={text} mono />
  return (
    <div class="block mono" dir="ltr">
      {colour(text)}
    </div>
  )
}

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

function colour(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let from = 0
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > from) parts.push(text.slice(from, match.index))
    const [token, string, colon] = match
    const kind = colon ? 'json-key' : string ? 'json-string' : 'json-atom'
    parts.push(
      <span class={kind}>
        <Text value={string ?? token} />
      </span>,
    )
    if (colon) parts.push(colon)
    from = match.index + token.length
  }
  parts.push(text.slice(from))
  return parts
}

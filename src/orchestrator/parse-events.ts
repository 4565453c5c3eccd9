// Events in the output of a backend: `<event topic="…" target="…">payload</event>`.
import type { MalformedEvent } from '../model/session.js'
import type { BusEvent } from './bus.js'
import { preview } from '../base/text.js'

export interface ParsedOutput {
  events: BusEvent[]
  malformed: MalformedEvent[]
  /** The output without its event tags. */
  rest: string
}

const OPEN = /<event(?=[\s>/])/g
const CLOSE = '</event>'
const SHOWN = 200

/** Up to the first `>` and the first `</event>`: no nesting, whatever a payload contains. As strict as Ralph: what it would drop is malformed. */
export function parseEvents(output: string, source: string | null): ParsedOutput {
  const parsed: ParsedOutput = { events: [], malformed: [], rest: '' }
  const bad = (text: string, reason: string): void => {
    parsed.malformed.push({ source, text: preview(text, SHOWN), reason })
  }
  let at = 0
  for (;;) {
    OPEN.lastIndex = at
    const start = OPEN.exec(output)?.index
    if (start === undefined) break
    const tagEnd = output.indexOf('>', start)
    const close = tagEnd < 0 ? -1 : output.indexOf(CLOSE, tagEnd)
    if (tagEnd < 0 || close < 0) {
      bad(output.slice(start), tagEnd < 0 ? 'the tag is not closed' : `no ${CLOSE}`)
      break
    }
    parsed.rest += output.slice(at, start)
    at = close + CLOSE.length
    const tag = output.slice(start, tagEnd)
    const wrong = misspelt(tag)
    if (wrong === undefined) {
      const payload = output.slice(tagEnd + 1, close).trim()
      const topic = attribute(tag, 'topic') ?? ''
      parsed.events.push({ topic, payload, source, target: attribute(tag, 'target') || null })
    } else {
      bad(output.slice(start, at), wrong)
      // The end may be that of another event.
      OPEN.lastIndex = tagEnd
      at = Math.min(at, OPEN.exec(output)?.index ?? at)
    }
  }
  parsed.rest += output.slice(at)
  return parsed
}

function misspelt(tag: string): string | undefined {
  if (!tag.startsWith('<event ')) return tag === '<event' ? 'no topic' : 'no space after <event'
  if (attribute(tag, 'topic')) return undefined
  return /\stopic\s*=\s*[^\s"]/.test(tag) || /\stopic(\s+=|=\s)/.test(tag)
    ? 'topic is not written as topic="…"'
    : 'no topic'
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
}

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

/** Up to the first `>` and the first `</event>`: no nesting, whatever a payload contains. */
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
    const topic = attribute(tag, 'topic')
    if (topic === undefined || topic === '') bad(output.slice(start, at), 'no topic')
    else {
      const payload = output.slice(tagEnd + 1, close).trim()
      parsed.events.push({ topic, payload, source, target: attribute(tag, 'target') || null })
    }
  }
  parsed.rest += output.slice(at)
  return parsed
}

function attribute(tag: string, name: string): string | undefined {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)
  return (match?.[1] ?? match?.[2])?.trim()
}

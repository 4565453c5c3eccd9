// A cassette read by js-yaml, which is six times as fast as `yaml` but says less about mistakes.
import { constructFromEvents, EVENT_ID, parseEvents, SCALAR_STYLE, type Event } from 'js-yaml'
import { MAX_DEPTH } from '../base/json/json-text.js'

export interface FastDocument {
  value: unknown
  /** Of the items of the top-level list `interactions`: the lines they begin on, from 1. */
  itemLines: number[]
}

/** Undefined: a mistake, or something that cassettes may not contain; `yaml` says where. */
export function parseFast(text: string): FastDocument | undefined {
  // Libraries differ in what they make of these.
  if (/[\t\r\uFEFF]/.test(text)) return undefined
  try {
    const events = parseEvents(text, { maxDepth: MAX_DEPTH })
    if (!events.every((event) => isPlain(event, text))) return undefined
    const documents = constructFromEvents(events, { source: text })
    return documents.length === 1 ? { value: documents[0], itemLines: itemLinesIn(events, text) } : undefined
  } catch {
    return undefined
  }
}

/** No anchor, alias, tag or directive, and no number that changes when it is read. */
function isPlain(event: Event, text: string): boolean {
  switch (event.type) {
    case EVENT_ID.ALIAS:
      return false
    case EVENT_ID.DOCUMENT:
      return event.directives.length === 0
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return event.anchorStart < 0 && event.tagStart < 0
    case EVENT_ID.SCALAR: {
      if (event.anchorStart >= 0 || event.tagStart >= 0) return false
      if (event.style !== SCALAR_STYLE.PLAIN || !NUMERIC.test(text.charAt(event.valueStart))) return true
      const source = text.slice(event.valueStart, event.valueEnd)
      const number = Number(source)
      return Number.isNaN(number) ? !/^[-+]?\./.test(source) : String(number) === source
    }
    case EVENT_ID.POP:
      return true
  }
}

const NUMERIC = /[-+.\d]/

/** Inside the document and its map. */
const TOP = 2

function itemLinesIn(events: Event[], text: string): number[] {
  const lines: number[] = []
  let key: string | undefined
  let [depth, line, counted] = [0, 1, 0]
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      depth--
      if (depth === TOP) key = undefined
      continue
    }
    if (depth === TOP && event.type === EVENT_ID.SCALAR)
      key = key === undefined ? text.slice(event.valueStart, event.valueEnd) : undefined
    if (depth === TOP + 1 && key === 'interactions') {
      const start = Math.max(counted, startOf(event))
      line += text.slice(counted, start).split('\n').length - 1
      counted = start
      lines.push(line)
    }
    if (event.type !== EVENT_ID.SCALAR) depth++
  }
  return lines
}

function startOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart
  return 'start' in event ? event.start : 0
}
